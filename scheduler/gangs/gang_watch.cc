// SPDX-License-Identifier: Apache-2.0
#include "scheduler/gangs/gang_watch.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "api/events.h"
#include "api/native_pod_group.h"
#include "api/pod_group.h"
#include "base/log.h"

namespace berth::scheduler {
namespace {

// The time between releases that are rejected grows up to 32 times the timeout.
constexpr int kMaxDoublings = 5;

const GangPolicy* PolicyOf(const Gang& gang, const ProfileMap& profiles) {
  const auto profile = profiles.find(gang.scheduler_name());
  if (profile == profiles.end()) return nullptr;
  const auto* entry = profile->second->gang_plugin(gang.api());
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

api::ObjectReference PodGroupReference(const Gang& gang) {
  const bool is_native = gang.api() == GangApi::kNative;
  const api::ResourceInfo& resource =
      is_native ? api::NativePodGroup::kResource : api::PodGroup::kResource;
  std::string version = resource.ApiVersion();
  if (is_native && !gang.native()->api_version.empty()) version = gang.native()->api_version;
  return {.api_version = std::move(version),
          .kind = std::string(resource.kind),
          .namespace_ = gang.namespace_name(),
          .name = gang.name(),
          .uid = gang.terms()->uid};
}

void RecordGangEvent(ApiPort& api, const Gang& gang, std::string_view reason,
                     const std::string& note) {
  if (gang.terms() == nullptr) return;
  api.RecordEvent(PodGroupReference(gang), {.type = EventType::kWarning,
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
    Row& row = rows_.at(key);
    row.since = now;
    SetDue(key, row);
    Act(gang, policy, row);
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
  followed.patience = PatienceWith(*gang, *policy);
  SetDue(key, followed);
}

void GangWatch::SetDue(const std::string& key, Row& row) {
  deadlines_.erase({row.due, key});
  row.due = row.since + row.patience * (1 << std::min(row.rejected_releases, kMaxDoublings));
  deadlines_.emplace(row.due, key);
}

// Keeps the placed members, or starts to evict them.
void GangWatch::Act(const Gang& gang, const GangPolicy& policy, Row& row) {
  if (row.release != nullptr || !parts_.ends.AreKnown(gang)) return;
  const GangHistory& history = parts_.histories.Of(gang);
  const std::string why = "PodGroup " + gang.PodGroupName() + " has nodes for " +
                          std::to_string(gang.placed()) + " of the " +
                          std::to_string(gang.Needed()) + " pods that it needs";
  const std::string cause =
      history.failure_note.empty() ? "" : ". The last attempt failed: " + history.failure_note;
  if (IsToBeReleased(gang, policy)) return StartRelease(gang, why, cause, row);
  Report(gang, "Incomplete", why + "; its placed pods keep their nodes" + cause);
}

// Records an event on the PodGroup if its note is new.
void GangWatch::Report(const Gang& gang, std::string_view reason, const std::string& note) {
  if (!parts_.histories.RecordIncomplete(gang, note)) return;
  log::Warn("PodGroup is incomplete", {{"podGroup", gang.PodGroupName()}, {"reason", note}});
  RecordGangEvent(parts_.api, gang, reason, note);
}

void GangWatch::StartRelease(const Gang& gang, const std::string& why, const std::string& cause,
                             Row& row) {
  std::vector<PodRef> pods;
  for (const auto& pod : gang.Placed()) {
    if (!parts_.cache.IsAssumed(pod->uid())) pods.push_back(PodRef::Of(*pod));
  }
  if (pods.empty()) return;
  const auto release = std::make_shared<Release>(
      Release{.gang = gang.Key(), .why = why, .cause = cause, .awaited = pods.size()});
  row.release = release;
  for (const PodRef& pod : pods) {
    parts_.api.EvictPod(
        pod, [this, release, pod](const Result<void>& result) { OnAnswer(release, pod, result); });
  }
}

void GangWatch::OnAnswer(const std::shared_ptr<Release>& release, const PodRef& pod,
                         const Result<void>& result) {
  const Gang* gang = parts_.cache.gangs().Find(release->gang);
  if (result) {
    ++release->evicted;
    if (gang != nullptr) {
      parts_.api.RecordEvent(
          pod.Reference(),
          {.type = EventType::kWarning,
           .reporting_controller = gang->scheduler_name(),
           .reason = "Released",
           .action = "Evicting",
           .note = api::events::CutNote(release->why + "; the pod is evicted" + release->cause)});
    }
  } else if (!result.error().Is(Reason::kNotFound) && release->rejection.empty()) {
    release->rejection = pod.Key() + ": " + result.error().message();
  }
  if (--release->awaited == 0) EndRelease(release);
}

void GangWatch::EndRelease(const std::shared_ptr<Release>& release) {
  if (const auto row = rows_.find(release->gang);
      row != rows_.end() && row->second.release == release) {
    row->second.release = nullptr;
    int& rejected = row->second.rejected_releases;
    rejected = release->rejection.empty() ? 0 : rejected + 1;
    SetDue(release->gang, row->second);
  }
  const Gang* gang = parts_.cache.gangs().Find(release->gang);
  if (gang == nullptr) return;
  if (!release->rejection.empty()) {
    return Report(*gang, release->evicted > 0 ? "Released" : "Incomplete",
                  release->why + "; " + std::to_string(release->evicted) +
                      " of its placed pods are evicted, the others cannot be: " +
                      release->rejection + release->cause);
  }
  if (release->evicted == 0) return;  // they were gone already
  Report(*gang, "Released",
         release->why + "; its placed pods are evicted, so that others can use their room" +
             release->cause);
}

}  // namespace berth::scheduler
