// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "api/affinity.h"
#include "api/labels.h"
#include "api/pod.h"
#include "base/error.h"
#include "scheduler/model/pod_index.h"
#include "scheduler/plugins/required_node_affinity.h"

namespace berth::scheduler {

// SpreadConstraint is one entry of topologySpreadConstraints for one pod, compiled. Source:
// kube-scheduler podtopologyspread/common.go, topologySpreadConstraint.
struct SpreadConstraint {
  int32_t max_skew = 1;
  std::string topology_key;
  api::Selector selector;
  int32_t min_domains = 1;
  // Whether only nodes count that the pod's node selector and affinity allow, and its tolerations.
  bool honours_affinity = true;
  bool honours_taints = false;

  // CountedPods is the pods that placed ones are counted of. A selector without requirements counts
  // none, though it matches the pod itself (countPodsMatchSelector).
  PodQuery CountedPods(const std::string& namespace_name) const;
};

inline constexpr std::string_view kDoNotSchedule = "DoNotSchedule";
inline constexpr std::string_view kScheduleAnyway = "ScheduleAnyway";

// SpreadConstraintsOf compiles those entries whose whenUnsatisfiable is `action`, with the values
// that the pod has for matchLabelKeys. The error is upstream's. Source: common.go,
// filterTopologySpreadConstraints.
Result<std::vector<SpreadConstraint>> SpreadConstraintsOf(
    std::span<const api::TopologySpreadConstraint> entries, const api::Pod& pod,
    std::string_view action);

// TopologyKeysOf is the keys of the constraints.
std::set<std::string> TopologyKeysOf(std::span<const SpreadConstraint> constraints);

// SpreadNodes is the nodes on which a constraint of a pod counts pods: those that have the topology
// keys and that the constraint's policies include. Source: common.go, matchNodeInclusionPolicies.
class SpreadNodes final : public NodeSubset {
 public:
  SpreadNodes(const SpreadConstraint& constraint, std::set<std::string> topology_keys,
              const api::Pod& pod);

  bool Includes(const api::Node& node) const override;

  // Query names them: by the pod's affinity and tolerations only as far as they matter. Requires:
  // the arguments live as long as what it gives.
  static SubsetQuery Query(const SpreadConstraint& constraint,
                           const std::set<std::string>& topology_keys, const api::Pod& pod);

 private:
  std::set<std::string> topology_keys_;
  std::optional<RequiredNodeAffinity> affinity_;             // absent: no limit
  std::optional<std::vector<api::Toleration>> tolerations_;  // absent: taints do not matter
};

}  // namespace berth::scheduler
