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

// SpreadConstraint is a compiled entry of a pod's topologySpreadConstraints. Source: kube-scheduler
// pkg/scheduler/framework/plugins/podtopologyspread/common.go, topologySpreadConstraint.
struct SpreadConstraint {
  int32_t max_skew = 1;
  std::string topology_key;
  api::Selector selector;
  int32_t min_domains = 1;
  // Whether to count only nodes that the pod's node selector and node affinity allow
  // (honours_affinity), and nodes with taints that it tolerates (honours_taints).
  bool honours_affinity = true;
  bool honours_taints = false;

  // Returns the query for the existing pods that the constraint counts. A selector without
  // requirements counts no pods, though it matches the pod itself (countPodsMatchSelector).
  PodQuery CountedPods(const std::string& namespace_name) const;
};

inline constexpr std::string_view kDoNotSchedule = "DoNotSchedule";
inline constexpr std::string_view kScheduleAnyway = "ScheduleAnyway";

// Compiles the entries with whenUnsatisfiable `action`. The pod's values for matchLabelKeys are
// added to the selectors. Errors have upstream's text. Source: kube-scheduler
// pkg/scheduler/framework/plugins/podtopologyspread/common.go, filterTopologySpreadConstraints.
Result<std::vector<SpreadConstraint>> SpreadConstraintsOf(
    std::span<const api::TopologySpreadConstraint> entries, const api::Pod& pod,
    std::string_view action);

// Returns the topology keys of the constraints.
std::set<std::string> TopologyKeysOf(std::span<const SpreadConstraint> constraints);

// SpreadNodes is the set of nodes on which a pod's constraint counts pods: the nodes that have all
// topology keys and that the constraint's inclusion policies allow. Source: kube-scheduler
// pkg/scheduler/framework/plugins/podtopologyspread/common.go, matchNodeInclusionPolicies.
class SpreadNodes final : public NodeSubset {
 public:
  SpreadNodes(const SpreadConstraint& constraint, std::set<std::string> topology_keys,
              const api::Pod& pod);

  bool Includes(const api::Node& node) const override;

  // Returns the query for this set. The pod's affinity and tolerations are part of its key only if
  // they matter. Requires: the arguments outlive the returned query.
  static SubsetQuery Query(const SpreadConstraint& constraint,
                           const std::set<std::string>& topology_keys, const api::Pod& pod);

 private:
  std::set<std::string> topology_keys_;
  std::optional<RequiredNodeAffinity> affinity_;             // absent: no restriction
  std::optional<std::vector<api::Toleration>> tolerations_;  // absent: taints are ignored
};

}  // namespace berth::scheduler
