// SPDX-License-Identifier: Apache-2.0
#include "convert/policy_tables.h"

namespace berth::convert {
namespace {

constexpr std::string_view kByTaints =
    "the node's conditions have become taints, which TaintToleration, on in every Policy, reads";
constexpr std::string_view kByCsi =
    "in-tree volumes count as those of their CSI driver, whose limit the CSINode has; "
    "KUBE_MAX_PD_VOLS is not read";
constexpr std::string_view kBySelectors =
    "as kube-schedulers up to 1.19 did it; 1.20 to 1.22 spread by default constraints of "
    "PodTopologySpread instead, unless their feature DefaultPodTopologySpread was off";
constexpr std::string_view kByServices =
    "kube-schedulers since 1.18 took it for SelectorSpreadPriority, which is done as up to 1.19";
constexpr std::string_view kByAsked =
    "a pod that asks for none of a resource is no longer refused where more of it is promised than "
    "there is";

}  // namespace

std::span<const PredicateRow> PredicateRows() {
  static constexpr PredicateRow kRows[] = {
      {.name = "CheckNodeUnschedulable",
       .plugins = {"NodeUnschedulable"},
       .is_default = true,
       .is_mandatory = true},
      {.name = "GeneralPredicates",
       .plugins = {"NodeResourcesFit", "NodeName", "NodePorts", "NodeAffinity"},
       .is_default = true,
       .outcome = Outcome::kApproximate,
       .remark = kByAsked},
      {.name = "HostName", .plugins = {"NodeName"}},
      {.name = "PodFitsHostPorts", .plugins = {"NodePorts"}},
      {.name = "PodFitsPorts",
       .plugins = {"NodePorts"},
       .remark = "another name of PodFitsHostPorts"},
      {.name = "MatchNodeSelector", .plugins = {"NodeAffinity"}},
      {.name = "PodFitsResources",
       .plugins = {"NodeResourcesFit"},
       .outcome = Outcome::kApproximate,
       .remark = kByAsked},
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
      {.name = "MaxCSIVolumeCountPred",
       .plugins = {"NodeVolumeLimits"},
       .is_default = true,
       .outcome = Outcome::kApproximate,
       .remark =
           "volumes that are attached to a node count, too, if no pod there uses them; limits "
           "are those of the CSINode alone"},
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
      {.name = "NoVolumeZoneConflict",
       .plugins = {"VolumeZone"},
       .is_default = true,
       .outcome = Outcome::kApproximate,
       .remark = "a failure-domain.beta.kubernetes.io label of a volume is met by the "
                 "topology.kubernetes.io label of a node, too"},
      {.name = "EvenPodsSpread",
       .plugins = {"PodTopologySpread"},
       .is_default = true,
       .outcome = Outcome::kApproximate,
       .remark =
           "pods on nodes that the pod's own selector or affinity leaves out count no longer, "
           "and an empty labelSelector counts none"},
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
      {.name = "EvenPodsSpreadPriority",
       .plugin = "PodTopologySpread",
       .default_weight = 2,
       .outcome = Outcome::kApproximate,
       .remark = "weighted counts of pods are rounded, and were cut off; an empty labelSelector "
                 "counts none"},
      {.name = "ImageLocalityPriority",
       .plugin = "ImageLocality",
       .default_weight = 1,
       .outcome = Outcome::kApproximate,
       .remark = "images of init containers count, too"},
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
      {.name = "SelectorSpreadPriority",
       .plugin = kSelectorSpread,
       .default_weight = 1,
       .outcome = Outcome::kApproximate,
       .remark = kBySelectors},
      {.name = "ServiceSpreadingPriority",
       .plugin = kSelectorSpread,
       .same_as = "SelectorSpreadPriority",
       .outcome = Outcome::kApproximate,
       .remark = kByServices},
      {.name = "TaintTolerationPriority", .plugin = "TaintToleration", .default_weight = 1},
  };
  return kRows;
}

}  // namespace berth::convert
