// SPDX-License-Identifier: Apache-2.0
#include "convert/policy_tables.h"

namespace berth::convert {
namespace {

constexpr std::string_view kByTaints =
    "the node's conditions have become taints, which TaintToleration, on in every Policy, reads";
constexpr std::string_view kByCsi =
    "in-tree volumes count as those of their CSI driver, whose limit the CSINode has; "
    "KUBE_MAX_PD_VOLS is not read";

}  // namespace

std::span<const PredicateRow> PredicateRows() {
  static constexpr PredicateRow kRows[] = {
      {.name = "CheckNodeUnschedulable",
       .plugins = {"NodeUnschedulable"},
       .is_default = true,
       .is_mandatory = true},
      {.name = "GeneralPredicates",
       .plugins = {"NodeResourcesFit", "NodeName", "NodePorts", "NodeAffinity"},
       .is_default = true},
      {.name = "HostName", .plugins = {"NodeName"}},
      {.name = "PodFitsHostPorts", .plugins = {"NodePorts"}},
      {.name = "PodFitsPorts",
       .plugins = {"NodePorts"},
       .remark = "another name of PodFitsHostPorts"},
      {.name = "MatchNodeSelector", .plugins = {"NodeAffinity"}},
      {.name = "PodFitsResources", .plugins = {"NodeResourcesFit"}},
      {.name = "NoDiskConflict",
       .plugins = {"VolumeRestrictions"},
       .is_default = true,
       .remark = "it also minds ReadWriteOncePod, which volumes of that time had not"},
      {.name = "PodToleratesNodeTaints",
       .plugins = {"TaintToleration"},
       .is_default = true,
       .is_mandatory = true},
      {.name = "CheckNodeLabelPresence", .plugins = {kNodeLabel}},
      {.name = "CheckServiceAffinity", .plugins = {kServiceAffinity}},
      {.name = "MaxEBSVolumeCount",
       .plugins = {"NodeVolumeLimits"},
       .is_default = true,
       .outcome = Outcome::kApproximate,
       .remark = kByCsi},
      {.name = "MaxGCEPDVolumeCount",
       .plugins = {"NodeVolumeLimits"},
       .is_default = true,
       .outcome = Outcome::kApproximate,
       .remark = kByCsi},
      {.name = "MaxCSIVolumeCountPred", .plugins = {"NodeVolumeLimits"}, .is_default = true},
      {.name = "MaxAzureDiskVolumeCount",
       .plugins = {"NodeVolumeLimits"},
       .is_default = true,
       .outcome = Outcome::kApproximate,
       .remark = kByCsi},
      {.name = "MaxCinderVolumeCount",
       .plugins = {"NodeVolumeLimits"},
       .outcome = Outcome::kApproximate,
       .remark = kByCsi},
      {.name = "CheckVolumeBinding", .plugins = {"VolumeBinding"}, .is_default = true},
      {.name = "NoVolumeZoneConflict", .plugins = {"VolumeZone"}, .is_default = true},
      {.name = "EvenPodsSpread", .plugins = {"PodTopologySpread"}, .is_default = true},
      {.name = "MatchInterPodAffinity", .plugins = {"InterPodAffinity"}, .is_default = true},
      {.name = "CheckNodeCondition", .outcome = Outcome::kDropped, .remark = kByTaints},
      {.name = "CheckNodeDiskPressure", .outcome = Outcome::kDropped, .remark = kByTaints},
      {.name = "CheckNodeMemoryPressure", .outcome = Outcome::kDropped, .remark = kByTaints},
      {.name = "CheckNodePIDPressure", .outcome = Outcome::kDropped, .remark = kByTaints},
  };
  return kRows;
}

std::span<const PriorityRow> PriorityRows() {
  static constexpr PriorityRow kRows[] = {
      {.name = "BalancedResourceAllocation",
       .plugin = "NodeResourcesBalancedAllocation",
       .default_weight = 1,
       .outcome = Outcome::kApproximate,
       .remark =
           "its formula has changed: the balance with the pod was scored, the change that the "
           "pod makes is scored now"},
      {.name = "EqualPriority",
       .outcome = Outcome::kDropped,
       .remark = "it gave all nodes the same score, and was left out then, too"},
      {.name = "EvenPodsSpreadPriority", .plugin = "PodTopologySpread", .default_weight = 2},
      {.name = "ImageLocalityPriority", .plugin = "ImageLocality", .default_weight = 1},
      {.name = "InterPodAffinityPriority", .plugin = "InterPodAffinity", .default_weight = 1},
      {.name = "LeastRequestedPriority",
       .plugin = "NodeResourcesFit",
       .default_weight = 1,
       .strategy = "LeastAllocated"},
      {.name = "MostRequestedPriority", .plugin = "NodeResourcesFit", .strategy = "MostAllocated"},
      {.name = "NodeAffinityPriority", .plugin = "NodeAffinity", .default_weight = 1},
      {.name = "NodePreferAvoidPodsPriority",
       .plugin = kNodePreferAvoidPods,
       .default_weight = 10000},
      {.name = "ResourceLimitsPriority",
       .outcome = Outcome::kDropped,
       .remark = "it was alpha, off by default, and is gone since 1.20; nothing scores limits now"},
      {.name = "SelectorSpreadPriority", .plugin = kSelectorSpread, .default_weight = 1},
      {.name = "ServiceSpreadingPriority",
       .plugin = kSelectorSpread,
       .same_as = "SelectorSpreadPriority",
       .remark = "the last schedulers that read a Policy took it for SelectorSpreadPriority"},
      {.name = "TaintTolerationPriority", .plugin = "TaintToleration", .default_weight = 1},
  };
  return kRows;
}

}  // namespace berth::convert
