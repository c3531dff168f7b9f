// SPDX-License-Identifier: Apache-2.0
#include "scheduler/model/gang.h"

namespace berth::scheduler {

std::string_view Gang::AnotherScheduler(std::string_view scheduler_name) const {
  for (const auto& [name, count] : asking_) {
    if (name != scheduler_name) return name;
  }
  return {};
}

void Gang::Count(const Member& member) {
  if (member.is_placed) {
    ++placed_;
    return;
  }
  if (member.is_gated) ++gated_;
  ++asking_[member.scheduler_name];
}

void Gang::Uncount(const Member& member) {
  if (member.is_placed) {
    --placed_;
    return;
  }
  if (member.is_gated) --gated_;
  const auto asking = asking_.find(member.scheduler_name);
  if (--asking->second == 0) asking_.erase(asking);
}

}  // namespace berth::scheduler
