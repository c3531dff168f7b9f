// SPDX-License-Identifier: Apache-2.0
#include "controllers/pod_group_plan.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "base/strings.h"

namespace berth::controllers {
namespace {

bool IsFinal(std::string_view phase) {
  return phase == kPodGroupFinished || phase == kPodGroupFailed;
}

void CountPods(const GroupPods& pods, api::PodGroupStatus& status) {
  status.running = status.succeeded = status.failed = 0;
  for (const auto& [name, pod] : pods) {
    if (pod->status.phase == "Running") ++status.running;
    if (pod->status.phase == "Succeeded") ++status.succeeded;
    if (pod->status.phase == "Failed") ++status.failed;
  }
}

std::string_view PhaseOf(int64_t min_member, size_t pods, const api::PodGroupStatus& counts) {
  const int64_t lives = int64_t{counts.running} + counts.succeeded;
  if (counts.succeeded >= min_member) return kPodGroupFinished;
  if (counts.failed > 0 && lives + counts.failed >= min_member) return kPodGroupFailed;
  if (static_cast<int64_t>(pods) < min_member) return kPodGroupPending;
  return lives >= min_member ? kPodGroupRunning : kPodGroupScheduling;
}

// Returns the owners of the first pod. The pods of a group usually have the same controller.
std::string OwnersOf(const GroupPods& pods) {
  if (pods.empty()) return "";
  const api::ObjectMeta& first = pods.begin()->second->metadata;
  std::vector<std::string> owners;
  for (const api::OwnerReference& owner : first.owner_references) {
    owners.push_back(first.namespace_ + "/" + owner.name);
  }
  std::ranges::sort(owners);
  return Join(owners, ",");
}

}  // namespace

api::PodGroupStatus StatusOf(const api::PodGroup& group, const GroupPods& pods) {
  api::PodGroupStatus status = group.status;
  if (IsFinal(status.phase)) return status;
  const bool was_occupied = !status.phase.empty() && status.phase != kPodGroupPending;
  CountPods(pods, status);
  status.phase = PhaseOf(std::max(group.spec.min_member, 1), pods.size(), status);
  if (!was_occupied && status.phase != kPodGroupPending) status.occupied_by = OwnersOf(pods);
  return status;
}

std::optional<std::chrono::nanoseconds> OverdueIn(const api::PodGroup& group,
                                                  const api::PodGroupStatus& status, Time now) {
  const bool waits = status.phase == kPodGroupPending || status.phase == kPodGroupScheduling;
  if (!waits || status.running > 0) return std::nullopt;
  return group.metadata.creation_timestamp + kPodGroupPatience - now;
}

}  // namespace berth::controllers
