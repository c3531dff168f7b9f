// SPDX-License-Identifier: Apache-2.0
#include "sandbox/simulation/disruption_plan.h"

#include <algorithm>
#include <charconv>
#include <map>

#include "api/conditions.h"
#include "base/error.h"

namespace berth::simulation {
namespace {

constexpr std::chrono::minutes kDeletionTimeout(2);
constexpr const char* kDisruptionAllowed = "DisruptionAllowed";

struct Expectation {
  int32_t pods = 0;     // expected number
  int32_t healthy = 0;  // of them, minimum
};

Result<int32_t> RoundedUp(const IntOrString& amount, int32_t total) {
  if (amount.IsInt()) return amount.number();
  const std::string_view word = amount.word();
  int64_t percent = 0;
  const char* end = word.data() + word.size();
  const auto [at, error] = std::from_chars(word.data(), end, percent);
  if (error != std::errc() || at + 1 != end || *at != '%') {
    return ConfigError("invalid type: string is not a percentage: " + std::string(word));
  }
  return static_cast<int32_t>((percent * total + 99) / 100);
}

Result<int32_t> WantedPods(const std::vector<PodPtr>& pods, const FindWorkload& find_workload) {
  std::map<std::string, int32_t> replicas;
  for (const PodPtr& pod : pods) {
    if (api::ControllerOf(pod->metadata) == nullptr) continue;
    const std::optional<Workload> workload = find_workload(*pod);
    if (!workload) {
      return Fail(Reason::kNotFound, "found no controllers for pod \"" + pod->metadata.name + "\"");
    }
    replicas[workload->uid] = workload->replicas;
  }
  int32_t sum = 0;
  for (const auto& [uid, count] : replicas) sum += count;
  return sum;
}

Result<Expectation> Expected(const api::PodDisruptionBudgetSpec& spec,
                             const std::vector<PodPtr>& pods, const FindWorkload& find_workload) {
  Expectation expected;
  if (spec.max_unavailable) {
    BERTH_TRY(expected.pods, WantedPods(pods, find_workload));
    BERTH_TRY(const int32_t unavailable, RoundedUp(*spec.max_unavailable, expected.pods));
    expected.healthy = std::max(0, expected.pods - unavailable);
  } else if (spec.min_available && spec.min_available->IsInt()) {
    expected = {static_cast<int32_t>(pods.size()), spec.min_available->number()};
  } else if (spec.min_available) {
    BERTH_TRY(expected.pods, WantedPods(pods, find_workload));
    BERTH_TRY(expected.healthy, RoundedUp(*spec.min_available, expected.pods));
  }
  return expected;
}

// Returns the granted evictions that have not failed; sets `requeue_after` to the time when the
// first one fails.
std::map<std::string, Time> StillDisrupted(const api::PodDisruptionBudget& budget,
                                           const std::vector<PodPtr>& pods, Time now,
                                           RequeueAfter& requeue_after) {
  std::map<std::string, Time> disrupted;
  for (const PodPtr& pod : pods) {
    const auto granted = budget.status.disrupted_pods.find(pod->metadata.name);
    if (pod->metadata.deletion_timestamp || granted == budget.status.disrupted_pods.end()) continue;
    const auto left = granted->second + kDeletionTimeout - now;
    if (left <= std::chrono::nanoseconds(0)) continue;
    if (!requeue_after || left < *requeue_after) requeue_after = left;
    disrupted.insert(*granted);
  }
  return disrupted;
}

int32_t CountHealthy(const std::vector<PodPtr>& pods,
                     const std::map<std::string, Time>& disrupted) {
  return static_cast<int32_t>(std::count_if(pods.begin(), pods.end(), [&](const PodPtr& pod) {
    return !pod->metadata.deletion_timestamp && !disrupted.contains(pod->metadata.name) &&
           api::IsTrue(pod->status.conditions, "Ready");
  }));
}

void PutCondition(api::PodDisruptionBudgetStatus& status, api::Condition condition, Time now) {
  condition.type = kDisruptionAllowed;
  condition.last_transition_time = now;
  for (api::Condition& existing : status.conditions) {
    if (existing.type != condition.type) continue;
    if (existing.status == condition.status)
      condition.last_transition_time = existing.last_transition_time;
    existing = std::move(condition);
    return;
  }
  status.conditions.push_back(std::move(condition));
}

}  // namespace

DisruptionPlan PlanDisruption(const api::PodDisruptionBudget& budget,
                              const std::vector<PodPtr>& pods, const FindWorkload& find_workload,
                              Time now) {
  DisruptionPlan plan{.status = budget.status, .requeue_after = {}};
  api::PodDisruptionBudgetStatus& status = plan.status;
  const Result<Expectation> expected = Expected(budget.spec, pods, find_workload);
  if (!expected) {
    status.disruptions_allowed = 0;
    PutCondition(status,
                 {.status = "False",
                  .observed_generation = status.observed_generation,
                  .reason = "SyncFailed",
                  .message = expected.error().message()},
                 now);
    return plan;
  }
  status.disrupted_pods = StillDisrupted(budget, pods, now, plan.requeue_after);
  status.current_healthy = CountHealthy(pods, status.disrupted_pods);
  status.desired_healthy = expected->healthy;
  status.expected_pods = expected->pods;
  status.observed_generation = budget.metadata.generation;
  // A budget without pods allows no disruption, to protect its first pods.
  status.disruptions_allowed =
      expected->pods > 0 ? std::max(0, status.current_healthy - status.desired_healthy) : 0;
  const bool allowed = status.disruptions_allowed > 0;
  PutCondition(status,
               {.status = allowed ? "True" : "False",
                .observed_generation = status.observed_generation,
                .reason = allowed ? "SufficientPods" : "InsufficientPods"},
               now);
  return plan;
}

}  // namespace berth::simulation
