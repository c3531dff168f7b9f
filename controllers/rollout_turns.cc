// SPDX-License-Identifier: Apache-2.0
#include "controllers/rollout_turns.h"

#include "api/conditions.h"
#include "controllers/conditions.h"

namespace berth::controllers {
namespace {

bool IsRollingOutReported(const crds::SchedulerProfile& profile) {
  const api::Condition* reconciling =
      api::FindCondition(profile.status.conditions, crds::kConditionReconciling);
  return reconciling && reconciling->status == "True" && reconciling->reason == kRollingOut;
}

}  // namespace

bool RolloutTurns::Take(
    const std::string& profile,
    const std::vector<std::shared_ptr<const crds::SchedulerProfile>>& profiles) {
  std::lock_guard lock(mutex_);
  if (turns_.contains(profile)) return true;
  std::set<std::string> replaced = turns_;
  for (const auto& other : profiles) {
    if (other->metadata.name != profile && IsRollingOutReported(*other)) {
      replaced.insert(other->metadata.name);
    }
  }
  if (replaced.size() >= limit_) return false;
  turns_.insert(profile);
  return true;
}

void RolloutTurns::End(const std::string& profile) {
  std::lock_guard lock(mutex_);
  turns_.erase(profile);
}

}  // namespace berth::controllers
