// SPDX-License-Identifier: Apache-2.0
#include "scheduler/preemption/split_gangs.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "scheduler/model/gang.h"

namespace berth::scheduler {

PodList RestOfSplitGangs(std::span<const std::shared_ptr<const PodInfo>> pods,
                         int32_t preemptor_priority, const Snapshot& snapshot) {
  if (!snapshot.HasGangs()) return {};
  std::unordered_set<std::string> going;
  std::vector<std::pair<const Gang*, size_t>> losses;  // in the order of the pods
  for (const auto& pod : pods) {
    going.insert(pod->uid());
    const Gang* gang = snapshot.GangOf(*pod);
    if (gang == nullptr || gang->terms() == nullptr) continue;
    const auto known = std::ranges::find(losses, gang, &std::pair<const Gang*, size_t>::first);
    if (known == losses.end()) {
      losses.emplace_back(gang, 1);
    } else {
      ++known->second;
    }
  }
  PodList rest;
  for (const auto& [gang, lost] : losses) {
    if (lost <= gang->Spare()) continue;
    for (auto& member : gang->Placed()) {
      if (going.contains(member->uid()) || member->priority() >= preemptor_priority) continue;
      rest.push_back(std::move(member));
    }
  }
  return rest;
}

}  // namespace berth::scheduler
