// SPDX-License-Identifier: Apache-2.0
#include "convert/policy_tables.h"

namespace berth::convert {
namespace {

constexpr std::string_view kByTaints =
    "node conditions are taints now, and TaintToleration is in every Policy";
constexpr std::string_view kByCsi =
    "in-tree volumes count as volumes of their CSI driver, with the limit in the CSINode; "
    "KUBE_MAX_PD_VOLS is ignored";
constexpr std::string_view kBySelectors =
    "as in kube-schedulers up to 1.19; 1.20 to 1.22 used default constraints of PodTopologySpread "
    "instead, unless their feature gate DefaultPodTopologySpread was off";
constexpr std::string_view kByServices =
    "kube-schedulers since 1.18 treated it as SelectorSpreadPriority; converted as up to 1.19";
constexpr std::string_view kByRequests =
    "a pod without a request for a resource is no longer rejected on a node that is overcommitted "
    "in it";

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
       .remark = kByRequests},
      {.name = "HostName", .plugins = {"NodeName"}},
      {.name = "PodFitsHostPorts", .plugins = {"NodePorts"}},
      {.name = "PodFitsPorts", .plugins = {"NodePorts"}, .remark = "an alias of PodFitsHostPorts"},
      {.name = "MatchNodeSelector", .plugins = {"NodeAffinity"}},
      {.name = "PodFitsResources",
       .plugins = {"NodeResourcesFit"},
       .outcome = Outcome::kApproximate,
       .remark = kByRequests},
      {.name = "NoDiskConflict",
       .plugins = {"VolumeRestrictions"},
       .is_default = true,
       .remark = "it also enforces ReadWriteOncePod, which did not exist then"},
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
           "attached volumes also count if no pod on the node uses them; limits come only from the "
           "CSINode"},
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
       .remark = "a failure-domain.beta.kubernetes.io label of a volume also matches the "
                 "topology.kubernetes.io label of a node"},
      {.name = "EvenPodsSpread",
       .plugins = {"PodTopologySpread"},
       .is_default = true,
       .outcome = Outcome::kApproximate,
       .remark =
           "pods on nodes excluded by the pod's own selector or affinity no longer count, and an "
           "empty labelSelector counts no pods"},
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
           "the formula changed: it scored the balance with the pod, now it scores the change by "
           "the pod"},
      {.name = "EqualPriority",
       .outcome = Outcome::kDropped,
       .remark = "it gave all nodes the same score and was skipped before, too"},
      {.name = "EvenPodsSpreadPriority",
       .plugin = "PodTopologySpread",
       .default_weight = 2,
       .outcome = Outcome::kApproximate,
       .remark = "weighted pod counts are rounded instead of truncated; an empty labelSelector "
                 "counts no pods"},
      {.name = "ImageLocalityPriority",
       .plugin = "ImageLocality",
       .default_weight = 1,
       .outcome = Outcome::kApproximate,
       .remark = "images of init containers also count"},
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
       .remark = "an alpha priority, off by default, removed in 1.19; no plugin scores limits now"},
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
