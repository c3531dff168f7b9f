// SPDX-License-Identifier: Apache-2.0
#include "scheduler/model/gang.h"

#include <algorithm>

namespace berth::scheduler {

bool Gang::IsIncomplete() const {
  if (!terms_ || placed_ == 0 || Missing() == 0) return false;
  const bool has_waiting = members_.size() > placed_;
  return has_waiting || (history_.bound_here && !history_.has_run);
}

std::vector<std::shared_ptr<const PodInfo>> Gang::Placed() const {
  std::vector<std::shared_ptr<const PodInfo>> pods;
  for (const auto& [uid, member] : members_) {
    if (member.is_placed()) pods.push_back(member.placed);
  }
  return pods;
}

std::vector<std::string> Gang::Unplaced() const {
  std::vector<std::string> uids;
  for (const auto& [uid, member] : members_) {
    if (!member.is_placed()) uids.push_back(uid);
  }
  return uids;
}

size_t Gang::Gated() const {
  return static_cast<size_t>(std::ranges::count_if(members_, [](const auto& entry) {
    return entry.second.is_gated && !entry.second.is_placed();
  }));
}

std::vector<std::string> Gang::Unplaced(std::string_view scheduler_name) const {
  std::vector<std::string> uids;
  for (const auto& [uid, member] : members_) {
    if (!member.is_placed() && member.scheduler_name == scheduler_name) uids.push_back(uid);
  }
  return uids;
}

std::string_view Gang::AnotherScheduler(std::string_view scheduler_name) const {
  for (const auto& [uid, member] : members_) {
    if (!member.is_placed() && member.scheduler_name != scheduler_name)
      return member.scheduler_name;
  }
  return {};
}

}  // namespace berth::scheduler
