// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "api/policy.h"
#include "scheduler/model/label_matcher.h"
#include "scheduler/model/pod_info.h"
#include "scheduler/model/vocabulary.h"

namespace berth::scheduler {

// DisruptionBudget is what is read of a PodDisruptionBudget: how many of the pods it selects may be
// disrupted now.
struct DisruptionBudget {
  Word namespace_name;
  LabelMatcher selector;
  int32_t allowed = 0;
  std::vector<std::string> disrupted;  // pods whose eviction it granted already; sorted

  // CountsFor says whether taking the pod away counts against the budget. One that was granted its
  // eviction has been counted. Requires: a pod of its namespace.
  bool CountsFor(const PodInfo& pod) const;
};

// DisruptionBudgets is the budgets by namespace. One whose selector is empty, absent or broken
// selects nothing for a scheduler and is not kept. Empty while no plugin reads them. The cache
// fills it. Source: kube-scheduler
// pkg/scheduler/framework/plugins/defaultpreemption/default_preemption.go,
// filterPodsWithPDBViolation.
class DisruptionBudgets {
 public:
  explicit DisruptionBudgets(Vocabulary& words) : words_(words) {}

  // In lists those of a namespace, in no order.
  std::span<const DisruptionBudget* const> In(Symbol namespace_name) const;
  bool empty() const { return by_uid_.empty(); }

  // Put takes the newest state of a budget. It says whether that may allow what was forbidden.
  bool Put(const api::PodDisruptionBudget& object);
  void Remove(const std::string& uid);
  void Clear();

 private:
  Vocabulary& words_;
  std::unordered_map<std::string, DisruptionBudget> by_uid_;
  std::unordered_map<Symbol, std::vector<const DisruptionBudget*>> by_namespace_;  // none is empty
};

}  // namespace berth::scheduler
