// SPDX-License-Identifier: Apache-2.0
#include "scheduler/model/gang.h"

#include "scheduler/model/pod_info.h"

namespace berth::scheduler {

std::string Gang::KeyOf(GangApi api, std::string_view namespace_name, std::string_view name) {
  std::string key;
  if (api == GangApi::kNative) key = "scheduling.k8s.io/";
  key += namespace_name;
  key += '/';
  key += name;
  return key;
}

size_t Gang::Spare() const {
  switch (terms_->disruption) {
    case GangDisruption::kSurplus:
      return Above(placed_, Needed());
    case GangDisruption::kAny:
      return placed_;
    case GangDisruption::kTogether:
      return 0;
  }
  return 0;
}

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

std::optional<int32_t> Gang::AnotherPriority(int32_t priority) const {
  for (const auto& [each, count] : priorities_) {
    if (each != priority) return each;
  }
  return std::nullopt;
}

void Gang::Count(const Member& member) {
  ++priorities_[member.priority];
  if (member.is_placed()) {
    ++placed_;
    if (member.placed->running()) ++running_;
    return;
  }
  if (member.is_aside) return;
  if (member.is_gated) ++gated_;
  if (member.never_preempts) ++never_;
  ++asking_[member.scheduler_name];
}

void Gang::Uncount(const Member& member) {
  const auto priority = priorities_.find(member.priority);
  if (--priority->second == 0) priorities_.erase(priority);
  if (member.is_placed()) {
    --placed_;
    if (member.placed->running()) --running_;
    return;
  }
  if (member.is_aside) return;
  if (member.is_gated) --gated_;
  if (member.never_preempts) --never_;
  const auto asking = asking_.find(member.scheduler_name);
  if (--asking->second == 0) asking_.erase(asking);
}

}  // namespace berth::scheduler
