// SPDX-License-Identifier: Apache-2.0
#include "controllers/apply.h"

#include <utility>

#include <fmt/format.h>

#include "controllers/difference.h"
#include "controllers/render.h"
#include "crds/names.h"

namespace berth::controllers {
namespace {

std::string OwnerText(const api::ObjectMeta& metadata) {
  const api::OwnerReference* owner = api::ControllerOf(metadata);
  if (!owner && !metadata.owner_references.empty()) owner = &metadata.owner_references.front();
  if (!owner) return "it has no owner";
  return fmt::format("it belongs to {} {}", owner->kind, owner->name);
}

// Writer applies one plan.
class Writer {
 public:
  Writer(const crds::SchedulerProfile& profile, const Observed& observed, WritePort& port,
         WriteMemory& memory, Converged& converged)
      : profile_(profile),
        observed_(observed),
        port_(port),
        memory_(memory),
        converged_(converged) {}

  // False: an object of somebody else is in the way.
  bool Bring(const RenderedObject& wanted);
  void Remove(const ObjectKey& key);

  ApplyOutcome outcome;

 private:
  bool CreateNew(const RenderedObject& wanted);
  bool Update(const RenderedObject& wanted, const AnyObject& live);
  bool IsOurs(const AnyObject& live) const;
  bool NoteForeign(const ObjectKey& key, const AnyObject& live);
  void NoteFailure(const ObjectKey& key, std::string verb, Error error);
  void NoteRepair(const ObjectKey& key, const std::string& what);
  void NoteWritten(const RenderedObject& wanted, AnyObject live, uint64_t events);

  const crds::SchedulerProfile& profile_;
  const Observed& observed_;
  WritePort& port_;
  WriteMemory& memory_;
  Converged& converged_;
};

bool Writer::IsOurs(const AnyObject& live) const {
  const api::OwnerReference* owner = api::ControllerOf(live.metadata());
  if (owner) return owner->uid == profile_.metadata.uid;
  // Somebody took the owner away: what we wrote ourselves is still known by its marks.
  const auto label = live.metadata().labels.find(std::string(crds::kProfileLabel));
  return label != live.metadata().labels.end() && label->second == profile_.metadata.name &&
         live.metadata().annotations.contains(std::string(kRenderedHashAnnotation));
}

bool Writer::Bring(const RenderedObject& wanted) {
  const auto live = observed_.objects.find(wanted.key);
  if (live == observed_.objects.end()) return CreateNew(wanted);
  return Update(wanted, live->second);
}

bool Writer::CreateNew(const RenderedObject& wanted) {
  const uint64_t events = memory_.EventsOf(wanted.key);
  Result<AnyObject> created = port_.Create(wanted);
  if (created) {
    const bool was_complete = profile_.status.observed_generation == profile_.metadata.generation &&
                              !observed_.objects.empty();
    if (was_complete) {
      NoteRepair(wanted.key, "was missing and was created again");
    }
    NoteWritten(wanted, std::move(*created), events);
    return true;
  }
  if (!created.error().Is(Reason::kAlreadyExists)) {
    NoteFailure(wanted.key, "create", created.error());
    return true;
  }
  Result<AnyObject> live = port_.Get(wanted.key);
  if (live) return Update(wanted, *live);
  NoteFailure(wanted.key, "get", live.error());
  return true;
}

bool Writer::Update(const RenderedObject& wanted, const AnyObject& live) {
  if (!IsOurs(live)) return NoteForeign(wanted.key, live);
  if (live.metadata().deletion_timestamp) return true;  // created again once it is gone
  if (converged_.Holds(wanted, live)) return true;
  const std::optional<std::string> difference =
      FirstDifference(wanted.object.type(), wanted.object.data(), live.data());
  if (!difference) {
    converged_.Set(wanted, live);
    return true;
  }
  const uint64_t events = memory_.EventsOf(wanted.key);
  Result<AnyObject> applied = port_.Apply(wanted, live.metadata().uid);
  if (!applied) {
    NoteFailure(wanted.key, "patch", applied.error());
    return true;
  }
  // The same text as last time, and yet different: somebody else changed it.
  const auto hash = live.metadata().annotations.find(std::string(kRenderedHashAnnotation));
  const bool is_drift = hash != live.metadata().annotations.end() && hash->second == wanted.hash;
  if (is_drift) NoteRepair(wanted.key, *difference + " was changed and was set back");
  NoteWritten(wanted, std::move(*applied), events);
  return true;
}

void Writer::Remove(const ObjectKey& key) {
  const auto live = observed_.objects.find(key);
  if (live == observed_.objects.end()) return;
  const Result<void> deleted = port_.Delete(key, live->second.metadata().uid);
  if (!deleted) return NoteFailure(key, "delete", deleted.error());
  converged_.Forget(key);
  memory_.Heard(key);
  ++outcome.writes;
}

bool Writer::NoteForeign(const ObjectKey& key, const AnyObject& live) {
  const api::OwnerReference* owner = api::ControllerOf(live.metadata());
  const bool is_leftover = owner && owner->kind == crds::SchedulerProfile::kResource.kind &&
                           owner->name == profile_.metadata.name;
  outcome.problems.push_back(
      {.kind = is_leftover ? Problem::Kind::kBeingCollected : Problem::Kind::kNotOwned,
       .key = key,
       .verb = "take",
       .error = Error(
           Reason::kConflict,
           is_leftover ? fmt::format("{} of the deleted profile of this name is not gone yet",
                                     key.ToString())
                       : fmt::format("{} exists and is not this profile's: {}; rename or delete it",
                                     key.ToString(), OwnerText(live.metadata())))});
  return false;
}

void Writer::NoteFailure(const ObjectKey& key, std::string verb, Error error) {
  outcome.problems.push_back({.kind = Problem::Kind::kFailed,
                              .key = key,
                              .verb = std::move(verb),
                              .error = std::move(error)});
}

void Writer::NoteRepair(const ObjectKey& key, const std::string& what) {
  outcome.events.push_back({.is_warning = false,
                            .reason = "DriftRepaired",
                            .action = "Repairing",
                            .note = key.ToString() + ": " + what,
                            .related = key});
}

void Writer::NoteWritten(const RenderedObject& wanted, AnyObject live, uint64_t events) {
  converged_.Set(wanted, live);
  memory_.Remember(wanted.key, std::move(live), events);
  ++outcome.writes;
}

}  // namespace

uint64_t WriteMemory::EventsOf(const ObjectKey& key) const {
  std::lock_guard lock(mutex_);
  const auto found = events_.find(key);
  return found == events_.end() ? 0 : found->second;
}

void WriteMemory::Remember(const ObjectKey& key, AnyObject object, uint64_t events) {
  std::lock_guard lock(mutex_);
  if (events_[key] == events) written_[key] = std::move(object);
}

void WriteMemory::Heard(const ObjectKey& key) {
  std::lock_guard lock(mutex_);
  ++events_[key];
  written_.erase(key);
}

void WriteMemory::Overlay(const std::string& profile_uid,
                          std::map<ObjectKey, AnyObject>& objects) const {
  std::lock_guard lock(mutex_);
  for (const auto& [key, object] : written_) {
    const api::OwnerReference* owner = api::ControllerOf(object.metadata());
    if (owner && owner->uid == profile_uid) objects[key] = object;
  }
}

bool Converged::Holds(const RenderedObject& wanted, const AnyObject& live) const {
  const auto found = known_.find(wanted.key);
  return found != known_.end() && found->second.uid == live.metadata().uid &&
         found->second.resource_version == live.metadata().resource_version &&
         found->second.wanted_hash == wanted.hash;
}

void Converged::Set(const RenderedObject& wanted, const AnyObject& live) {
  known_[wanted.key] = {live.metadata().uid, live.metadata().resource_version, wanted.hash};
}

ApplyOutcome ApplyPlan(const Plan& plan, const Observed& observed, WritePort& port,
                       WriteMemory& memory, Converged& converged) {
  Writer writer(plan.profile, observed, port, memory, converged);
  for (const RenderedObject& wanted : plan.apply) {
    if (!writer.Bring(wanted)) break;
  }
  if (writer.outcome.problems.empty()) {
    for (const ObjectKey& key : plan.remove) writer.Remove(key);
  }
  return std::move(writer.outcome);
}

}  // namespace berth::controllers
