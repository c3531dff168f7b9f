// SPDX-License-Identifier: Apache-2.0
#include "scheduler/gangs/gang_bind_barrier.h"

#include <utility>

namespace berth::scheduler {

bool GangBindBarrier::Join(std::shared_ptr<Member> member) {
  if (!cause_.empty()) return false;
  members_.push_back(std::move(member));
  return true;
}

void GangBindBarrier::Arrive() {
  if (--missing_ == 0) Go();
}

void GangBindBarrier::Leave(const Member& member, bool had_arrived, const std::string& why) {
  if (!had_arrived) --missing_;
  --left_;
  std::erase_if(members_, [&member](const auto& each) { return each.get() == &member; });
  if (cause_.empty() && left_ < needed_) GiveUp(member, why);
  if (left_ == 0) return End(false);
  if (cause_.empty() && missing_ == 0) Go();
}

void GangBindBarrier::Go() {
  for (const auto& member : std::exchange(members_, {})) member->Bind();
  End(true);
}

void GangBindBarrier::End(bool binds) {
  if (!std::exchange(ended_, true)) on_ended_(binds);
}

void GangBindBarrier::GiveUp(const Member& member, const std::string& why) {
  cause_ = "PodGroup " + gang_ + " gets rejected since Pod " + member.pod_name() +
           " cannot be bound: " + why;
  on_given_up_(cause_);
  for (const auto& each : std::exchange(members_, {})) each->GiveUp(cause_);
}

}  // namespace berth::scheduler
