// SPDX-License-Identifier: Apache-2.0
#include "engine/unknown_values.h"

#include <algorithm>
#include <utility>

namespace berth::engine {

void UnknownValues::Expect(std::string_view field, std::string_view value, Known known) {
  if (value.empty() || std::ranges::find(known, value) != known.end()) return;
  if (reported_.size() >= kMost) return;
  const std::string text = std::string(field) + ": " + std::string(value);
  if (reported_.insert(text).second) found_.push_back(text);
}

std::vector<std::string> UnknownValues::Take() { return std::exchange(found_, {}); }

std::vector<std::string> UnknownValues::Look(const api::Node& node) {
  for (const api::Taint& taint : node.spec.taints) {
    Expect("spec.taints.effect", taint.effect, {"NoSchedule", "PreferNoSchedule", "NoExecute"});
  }
  return Take();
}

std::vector<std::string> UnknownValues::Look(const api::Pod& pod) {
  for (const api::Toleration& toleration : pod.spec.tolerations) {
    Expect("spec.tolerations.operator", toleration.op, {"Exists", "Equal"});
    Expect("spec.tolerations.effect", toleration.effect,
           {"NoSchedule", "PreferNoSchedule", "NoExecute"});
  }
  for (const api::TopologySpreadConstraint& constraint : pod.spec.topology_spread_constraints) {
    Expect("spec.topologySpreadConstraints.whenUnsatisfiable", constraint.when_unsatisfiable,
           {"DoNotSchedule", "ScheduleAnyway"});
    Expect("spec.topologySpreadConstraints.nodeAffinityPolicy",
           constraint.node_affinity_policy.value_or(""), {"Honor", "Ignore"});
    Expect("spec.topologySpreadConstraints.nodeTaintsPolicy",
           constraint.node_taints_policy.value_or(""), {"Honor", "Ignore"});
  }
  Expect("spec.preemptionPolicy", pod.spec.preemption_policy.value_or(""),
         {"PreemptLowerPriority", "Never"});
  VisitAffinity(pod.spec.affinity.ValueOrDefault().node_affinity.ValueOrDefault());
  return Take();
}

void UnknownValues::VisitAffinity(const api::NodeAffinity& affinity) {
  if (affinity.required) {
    for (const auto& term : affinity.required->node_selector_terms) VisitTerm(term);
  }
  for (const auto& preferred : affinity.preferred) VisitTerm(preferred.preference);
}

void UnknownValues::VisitTerm(const api::NodeSelectorTerm& term) {
  for (const auto* requirements : {&term.match_expressions, &term.match_fields}) {
    for (const api::NodeSelectorRequirement& requirement : *requirements) {
      Expect("spec.affinity.nodeAffinity.operator", requirement.op,
             {"In", "NotIn", "Exists", "DoesNotExist", "Gt", "Lt"});
    }
  }
}

}  // namespace berth::engine
