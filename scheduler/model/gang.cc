// SPDX-License-Identifier: Apache-2.0
#include "scheduler/model/gang.h"

#include "scheduler/model/pod_info.h"

namespace berth::scheduler {

bool Gang::IsIncomplete() const {
  if (!terms_ || placed_ == 0 || Missing() == 0) return false;
  const bool has_waiting = !asking_.empty();
  return has_waiting || (placed_here_ && !has_run_);
}

std::vector<std::shared_ptr<const PodInfo>> Gang::Placed() const {
  std::vector<std::shared_ptr<const PodInfo>> pods;
  for (const auto& [uid, member] : members_) {
    if (member.is_placed()) pods.push_back(member.placed);
  }
  return pods;
}

std::string_view Gang::AnotherScheduler(std::string_view scheduler_name) const {
  for (const auto& [name, count] : asking_) {
    if (name != scheduler_name) return name;
  }
  return {};
}

void Gang::Count(const Member& member) {
  if (member.is_placed()) {
    ++placed_;
    if (member.placed->running()) ++running_;
    return;
  }
  if (member.is_aside) return;
  if (member.is_gated) ++gated_;
  ++asking_[member.scheduler_name];
}

void Gang::Uncount(const Member& member) {
  if (member.is_placed()) {
    --placed_;
    if (member.placed->running()) --running_;
    return;
  }
  if (member.is_aside) return;
  if (member.is_gated) --gated_;
  const auto asking = asking_.find(member.scheduler_name);
  if (--asking->second == 0) asking_.erase(asking);
}

}  // namespace berth::scheduler
