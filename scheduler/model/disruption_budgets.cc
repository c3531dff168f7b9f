// SPDX-License-Identifier: Apache-2.0
#include "scheduler/model/disruption_budgets.h"

#include <algorithm>
#include <utility>

namespace berth::scheduler {
namespace {

// Returns nullopt if the budget selects no pods.
std::optional<api::Selector> SelectorOf(const api::PodDisruptionBudget& object) {
  if (!object.spec.selector) return std::nullopt;
  auto selector = api::Selector::Create(*object.spec.selector);
  if (!selector) return std::nullopt;
  return std::move(*selector);
}

std::vector<std::string> DisruptedPodsOf(const api::PodDisruptionBudget& object) {
  std::vector<std::string> names;
  for (const auto& [name, time] : object.status.disrupted_pods) names.push_back(name);
  return names;
}

}  // namespace

bool DisruptionBudget::CountsFor(const PodInfo& pod) const {
  return selector.Matches(pod.labels()) && !std::ranges::binary_search(disrupted, pod.name());
}

std::span<const DisruptionBudget* const> DisruptionBudgets::In(Symbol namespace_name) const {
  const auto found = by_namespace_.find(namespace_name);
  if (found == by_namespace_.end()) return {};
  return found->second;
}

bool DisruptionBudgets::Put(const api::PodDisruptionBudget& object) {
  const std::string& uid = object.metadata.uid;
  const auto known = by_uid_.find(uid);
  const bool may_allow_more =
      known != by_uid_.end() && object.status.disruptions_allowed >= known->second.allowed;
  Remove(uid);
  const auto selector = SelectorOf(object);
  if (!selector) return may_allow_more;
  const auto kept = by_uid_.emplace(
      uid, DisruptionBudget{words_.Intern(object.metadata.namespace_), object.metadata.name,
                            LabelMatcher::Lasting(*selector, words_),
                            object.status.disruptions_allowed, DisruptedPodsOf(object)});
  const DisruptionBudget& budget = kept.first->second;
  auto& others = by_namespace_[budget.namespace_name];
  others.insert(std::ranges::upper_bound(others, budget.name, {}, &DisruptionBudget::name),
                &budget);
  return may_allow_more;
}

void DisruptionBudgets::Remove(const std::string& uid) {
  const auto gone = by_uid_.find(uid);
  if (gone == by_uid_.end()) return;
  const auto others = by_namespace_.find(gone->second.namespace_name);
  std::erase(others->second, &gone->second);
  if (others->second.empty()) by_namespace_.erase(others);
  by_uid_.erase(gone);
}

void DisruptionBudgets::Clear() {
  by_namespace_.clear();
  by_uid_.clear();
}

}  // namespace berth::scheduler
