// SPDX-License-Identifier: Apache-2.0
#include "scheduler/plugins/spread_constraint.h"

#include <algorithm>
#include <utility>

#include "scheduler/model/key_text.h"
#include "scheduler/plugins/tolerations.h"

namespace berth::scheduler {
namespace {

bool Honours(const std::optional<std::string>& policy, bool by_default) {
  return policy ? *policy == "Honor" : by_default;
}

bool LimitsNodes(const api::Pod& pod) {
  return !pod.spec.node_selector.ValueOrDefault().empty() || RequiredTermsOf(pod) != nullptr;
}

// Since 1.34 the API server adds these to the selector, too, but not for pods created before.
void AddMatchLabelKeys(const api::TopologySpreadConstraint& entry, const api::StringMap& labels,
                       api::Selector& selector) {
  for (const std::string& key : entry.match_label_keys) {
    const auto label = labels.find(key);
    if (label == labels.end()) continue;
    selector.Add({.key = key, .op = api::Requirement::Operator::kIn, .values = {label->second}});
  }
}

}  // namespace

PodQuery SpreadConstraint::CountedPods(const std::string& namespace_name) const {
  return {.all_of = {{.namespaces = {namespace_name},
                      .labels = selector.IsEmpty() ? api::Selector::Nothing() : selector}},
          .with_terminating = false};
}

Result<std::vector<SpreadConstraint>> SpreadConstraintsOf(
    std::span<const api::TopologySpreadConstraint> entries, const api::Pod& pod,
    std::string_view action) {
  std::vector<SpreadConstraint> constraints;
  for (const api::TopologySpreadConstraint& entry : entries) {
    if (entry.when_unsatisfiable != action) continue;
    BERTH_TRY(auto selector, api::Selector::Create(entry.label_selector));
    AddMatchLabelKeys(entry, pod.metadata.labels, selector);
    constraints.push_back({.max_skew = entry.max_skew,
                           .topology_key = entry.topology_key,
                           .selector = std::move(selector),
                           .min_domains = entry.min_domains.value_or(1),
                           .honours_affinity = Honours(entry.node_affinity_policy, true),
                           .honours_taints = Honours(entry.node_taints_policy, false)});
  }
  return constraints;
}

std::set<std::string> TopologyKeysOf(std::span<const SpreadConstraint> constraints) {
  std::set<std::string> keys;
  for (const SpreadConstraint& constraint : constraints) keys.insert(constraint.topology_key);
  return keys;
}

SpreadNodes::SpreadNodes(const SpreadConstraint& constraint, std::set<std::string> topology_keys,
                         const api::Pod& pod)
    : topology_keys_(std::move(topology_keys)) {
  if (constraint.honours_affinity && LimitsNodes(pod)) affinity_ = RequiredNodeAffinity::Of(pod);
  if (constraint.honours_taints) tolerations_ = pod.spec.tolerations;
}

bool SpreadNodes::Includes(const api::Node& node) const {
  return std::ranges::all_of(
             topology_keys_,
             [&](const std::string& key) { return node.metadata.labels.contains(key); }) &&
         (!affinity_ || affinity_->Matches(node)) &&
         (!tolerations_ || ToleratesAllBlocking(*tolerations_, node.spec.taints));
}

SubsetQuery SpreadNodes::Query(const SpreadConstraint& constraint,
                               const std::set<std::string>& topology_keys, const api::Pod& pod) {
  const bool by_affinity = constraint.honours_affinity && LimitsNodes(pod);
  // The constraint's own key is required anyway.
  const bool by_keys =
      topology_keys.size() > (topology_keys.contains(constraint.topology_key) ? 1 : 0);
  if (!by_keys && !by_affinity && !constraint.honours_taints) return {};
  KeyText text;
  text.AddCount(topology_keys);
  for (const std::string& key : topology_keys) text.Add(key);
  text.Add(by_affinity);
  if (by_affinity) AddRequiredNodeAffinity(text, pod);
  text.Add(constraint.honours_taints);
  if (constraint.honours_taints) text.Add(TolerationsKey(pod.spec.tolerations));
  return {.key = text.Take(), .make = [&constraint, &topology_keys, &pod] {
            return std::make_unique<const SpreadNodes>(constraint, topology_keys, pod);
          }};
}

}  // namespace berth::scheduler
