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

// DisruptionBudget is the part of a PodDisruptionBudget that the scheduler reads: the number of
// selected pods that may be disrupted now.
struct DisruptionBudget {
  Word namespace_name;
  std::string name;
  LabelMatcher selector;
  int32_t allowed = 0;
  std::vector<std::string> disrupted;  // names of pods with a granted eviction; sorted

  // Reports whether evicting the pod counts against the budget. A pod with a granted eviction is
  // already counted. Requires: the pod is in the budget's namespace.
  bool CountsFor(const PodInfo& pod) const;
};

// DisruptionBudgets holds the budgets by namespace. A budget with an absent or invalid selector
// selects no pods and is not stored; an empty selector selects all pods of its namespace, as in the
// disruption controller. Empty while no plugin reads budgets. Written by the cache. Source:
// kube-scheduler pkg/scheduler/framework/preemption/util.go, FilterVictimsWithPDBViolation, where an
// empty selector selects no pods.
class DisruptionBudgets {
 public:
  explicit DisruptionBudgets(Vocabulary& words) : words_(words) {}

  // Returns the budgets of a namespace, ordered by name.
  std::span<const DisruptionBudget* const> In(Symbol namespace_name) const;
  bool empty() const { return by_uid_.empty(); }

  // Stores the newest state of a budget. Reports whether it may allow disruptions that were
  // forbidden before.
  bool Put(const api::PodDisruptionBudget& object);
  void Remove(const std::string& uid);
  void Clear();

 private:
  Vocabulary& words_;
  std::unordered_map<std::string, DisruptionBudget> by_uid_;
  std::unordered_map<Symbol, std::vector<const DisruptionBudget*>> by_namespace_;  // no empty lists
};

}  // namespace berth::scheduler
