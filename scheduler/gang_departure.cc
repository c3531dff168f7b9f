// SPDX-License-Identifier: Apache-2.0
#include "scheduler/gang_departure.h"

#include <utility>

#include "scheduler/binding_cycle.h"

namespace berth::scheduler {

bool GangDeparture::Join(std::shared_ptr<BindingCycle> member) {
  if (!cause_.empty()) return false;
  members_.push_back(std::move(member));
  return true;
}

void GangDeparture::Arrive() {
  if (--missing_ == 0) Go();
}

void GangDeparture::Leave(const BindingCycle& member, bool had_arrived, const std::string& why) {
  if (!had_arrived) --missing_;
  --left_;
  std::erase_if(members_, [&member](const auto& each) { return each.get() == &member; });
  if (cause_.empty() && left_ < needed_) GiveUp(member, why);
  if (left_ == 0) return End();
  if (cause_.empty() && missing_ == 0) Go();
}

void GangDeparture::Go() {
  for (const auto& member : std::exchange(members_, {})) member->Bind();
  End();
}

void GangDeparture::End() {
  if (!std::exchange(ended_, true)) on_ended_();
}

void GangDeparture::GiveUp(const BindingCycle& member, const std::string& why) {
  cause_ = "PodGroup " + gang_ + " gets rejected since Pod " + member.attempt_->queued.pod->name() +
           " cannot be bound: " + why;
  on_given_up_(cause_);
  for (const auto& each : std::exchange(members_, {})) each->GiveUp(cause_);
}

}  // namespace berth::scheduler
