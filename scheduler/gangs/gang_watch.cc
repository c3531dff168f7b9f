// SPDX-License-Identifier: Apache-2.0
#include "scheduler/gangs/gang_watch.h"

#include <algorithm>
#include <vector>

#include "api/events.h"
#include "api/pod_group.h"
#include "base/log.h"

namespace berth::scheduler {
namespace {

const GangPolicy* PolicyOf(const Gang& gang, const ProfileMap& profiles) {
  const auto profile = profiles.find(gang.scheduler_name());
  if (profile == profiles.end()) return nullptr;
  const auto* entry = profile->second->gang_plugin();
  return entry != nullptr ? &entry->plugin->gang_policy() : nullptr;
}

SteadyTime::duration PatienceWith(const Gang& gang, const GangPolicy& policy) {
  return gang.terms()->timeout.value_or(policy.patience);
}

bool IsToBeReleased(const Gang& gang, const GangPolicy& policy) {
  switch (policy.incomplete) {
    case IncompleteGang::kKeep:
      return false;
    case IncompleteGang::kRelease:
      return true;
    case IncompleteGang::kReleaseUnlessRun:
      return gang.placed_here() && !gang.has_run() &&
             std::ranges::all_of(gang.Placed(), [](const auto& pod) { return pod->controlled(); });
  }
  return false;
}

}  // namespace

void RecordGangEvent(ApiPort& api, const Gang& gang, std::string_view reason,
                     const std::string& note) {
  if (gang.terms() == nullptr) return;
  api.RecordEvent({.api_version = api::PodGroup::kResource.ApiVersion(),
                   .kind = std::string(api::PodGroup::kResource.kind),
                   .namespace_ = gang.namespace_name(),
                   .name = gang.name(),
                   .uid = gang.terms()->uid},
                  {.type = EventType::kWarning,
                   .reporting_controller = gang.scheduler_name(),
                   .reason = std::string(reason),
                   .action = "Scheduling",
                   .note = api::events::CutNote(note)});
}

void GangWatch::Look(const ProfileMap& profiles) {
  for (const std::string& key : parts_.cache.gangs().TakeChangedIncomplete()) {
    Follow(key, profiles);
  }
  if (deadlines_.empty()) return;
  const SteadyTime now = parts_.clock.Now();
  std::vector<std::string> due;
  for (const auto& [time, key] : deadlines_) {
    if (time > now) break;
    due.push_back(key);
  }
  for (const std::string& key : due) {
    const Gang& gang = *parts_.cache.gangs().Find(key);
    const GangPolicy& policy = *PolicyOf(gang, profiles);
    Act(gang, policy);
    Row& row = rows_.at(key);
    row.since = now;
    SetDue(key, row, now + PatienceWith(gang, policy));
  }
}

void GangWatch::OnProfiles(const ProfileMap& profiles) {
  for (const Gang* gang : parts_.cache.gangs().Incomplete()) Follow(gang->Key(), profiles);
}

std::optional<SteadyTime> GangWatch::NextLook() const {
  if (deadlines_.empty()) return std::nullopt;
  return deadlines_.begin()->first;
}

void GangWatch::Follow(const std::string& key, const ProfileMap& profiles) {
  const Gang* gang = parts_.cache.gangs().Find(key);
  const GangPolicy* policy =
      gang != nullptr && gang->IsIncomplete() ? PolicyOf(*gang, profiles) : nullptr;
  const auto row = rows_.find(key);
  if (policy == nullptr) {
    if (row == rows_.end()) return;
    if (gang != nullptr) parts_.histories.RecordComplete(*gang);
    deadlines_.erase({row->second.due, key});
    rows_.erase(row);
    return;
  }
  Row& followed = row != rows_.end() ? row->second : rows_[key] = Row{parts_.clock.Now()};
  SetDue(key, followed, followed.since + PatienceWith(*gang, *policy));
}

void GangWatch::SetDue(const std::string& key, Row& row, SteadyTime due) {
  deadlines_.erase({row.due, key});
  row.due = due;
  deadlines_.emplace(due, key);
}

// Records the event if its note is new, and evicts the placed members if the policy is to release.
void GangWatch::Act(const Gang& gang, const GangPolicy& policy) {
  const GangHistory& history = parts_.histories.Of(gang);
  const bool release = IsToBeReleased(gang, policy);
  std::string why = "PodGroup " + gang.Key() + " has nodes for " + std::to_string(gang.placed()) +
                    " of the " + std::to_string(gang.Needed()) + " pods that it needs";
  if (!history.failure_note.empty()) why += " (" + history.failure_note + ")";
  why += release ? "; they are evicted, so that their room is free" : "; they are kept";
  if (parts_.histories.RecordIncomplete(gang, why)) {
    log::Warn("PodGroup is incomplete", {{"podGroup", gang.Key()}, {"reason", why}});
    RecordGangEvent(parts_.api, gang, release ? "Released" : "Incomplete", why);
  }
  if (!release) return;
  for (const auto& pod : gang.Placed()) {
    if (!parts_.cache.IsAssumed(pod->uid())) Evict(gang, *pod, why);
  }
}

void GangWatch::Evict(const Gang& gang, const PodInfo& pod, const std::string& why) {
  const PodRef ref = PodRef::Of(pod);
  parts_.api.EvictPod(ref, [key = pod.Key()](const Result<void>& result) {
    if (result || result.error().Is(Reason::kNotFound)) return;
    log::Warn("Could not evict a pod of an incomplete PodGroup",
              {{"pod", key}, {"err", result.error()}});
  });
  parts_.api.RecordEvent(ref.Reference(), {.type = EventType::kWarning,
                                           .reporting_controller = gang.scheduler_name(),
                                           .reason = "Released",
                                           .action = "Evicting",
                                           .note = api::events::CutNote(why)});
}

}  // namespace berth::scheduler
