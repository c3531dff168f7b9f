// SPDX-License-Identifier: Apache-2.0
#include "scheduler/gangs/gang_watch.h"

#include <algorithm>

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
  const GangTable& gangs = parts_.cache.gangs();
  if (rows_.empty() && gangs.Incomplete().empty()) return;
  const SteadyTime now = parts_.clock.Now();
  for (const Gang* gang : gangs.Incomplete()) rows_.try_emplace(gang->Key(), Row{now, {}});
  std::erase_if(rows_, [&](const auto& row) {
    const Gang* gang = gangs.Find(row.first);
    if (gang == nullptr) return true;
    if (gang->IsIncomplete() && PolicyOf(*gang, profiles) != nullptr) return false;
    parts_.histories.RecordComplete(*gang);
    return true;
  });
  for (auto& [key, row] : rows_) {
    const Gang& gang = *gangs.Find(key);
    const GangPolicy& policy = *PolicyOf(gang, profiles);
    const auto patience = gang.terms()->timeout.value_or(policy.patience);
    if (now >= row.since + patience) {
      Act(gang, policy);
      row.since = now;
    }
    row.due = row.since + patience;
  }
}

std::optional<SteadyTime> GangWatch::NextLook() const {
  std::optional<SteadyTime> next;
  for (const auto& [key, row] : rows_) {
    if (!next || row.due < *next) next = row.due;
  }
  return next;
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
