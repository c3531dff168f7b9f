// SPDX-License-Identifier: Apache-2.0
#include "controllers/apply.h"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "api/coordination.h"
#include "api/scheduler_contract.h"
#include "base/strings.h"
#include "controllers/additions.h"
#include "controllers/field_managers.h"
#include "controllers/mutators.h"
#include "controllers/render.h"
#include "crds/names.h"

namespace berth::controllers {
namespace {

constexpr const char* kWholeObject = "";  // in place of a field path: the object was deleted
constexpr size_t kShownValue = 100;
constexpr size_t kShownRemovals = 8;  // an event's note has up to 1024 characters
constexpr size_t kShownMutators = 3;
constexpr std::chrono::seconds kUntilAskedForTurn{5};

std::string OwnerText(const api::ObjectMeta& metadata) {
  const api::OwnerReference* owner = api::ControllerOf(metadata);
  if (!owner && !metadata.owner_references.empty()) owner = &metadata.owner_references.front();
  if (owner) return fmt::format("it belongs to {} {}", owner->kind, owner->name);
  return fmt::format("it has no owner, and its uid {} is not in status.scheduler.objects",
                     metadata.uid);
}

std::string DeleteCommand(const ObjectKey& key) {
  std::string command = fmt::format("kubectl delete {} {}", key.resource->plural, key.name);
  if (!key.namespace_.empty()) command += " -n " + key.namespace_;
  return command;
}

// Returns the hash of the text that an object was applied from; "" if its annotation was removed.
std::string HashOf(const AnyObject& live) {
  const auto found = live.metadata().annotations.find(std::string(kRenderedHashAnnotation));
  return found == live.metadata().annotations.end() ? "" : found->second;
}

// Returns a value for a message, truncated if it is long.
std::string Shown(const std::string& found) {
  if (found.empty()) return "nothing";
  if (found.size() <= kShownValue) return found;
  return ReplaceInvalidUtf8(found.substr(0, kShownValue)) + "…";
}

std::string NameOf(const std::string& field_manager) {
  return field_manager.empty() ? "another client" : "field manager " + field_manager;
}

std::string ContestText(const ObjectKey& key, const std::string& path, const std::string& rival) {
  if (path == kWholeObject) {
    return fmt::format("{} is removed again and again by {}; it is created once a minute",
                       key.ToString(), rival);
  }
  return fmt::format("{} of {} is changed again and again by {}; it is set back once a minute",
                     path, key.ToString(), rival);
}

// Names the webhooks and policies that may have changed an object; "" if there are none.
std::string MutatorText(std::vector<std::string> mutators) {
  if (mutators.empty()) return "";
  const size_t more = mutators.size() - std::min(mutators.size(), kShownMutators);
  mutators.resize(mutators.size() - more);
  std::string text = fmt::format(" (registered for it: {}", Join(mutators, ", "));
  if (more > 0) text += fmt::format(", and {} more", more);
  return text + ")";
}

// Parses a resource version, which is compared as a number. Source: apimachinery
// pkg/util/resourceversion, CompareResourceVersion.
uint64_t NumberOf(std::string_view version) {
  uint64_t number = 0;
  std::from_chars(version.data(), version.data() + version.size(), number);
  return number;
}

uint64_t ResourceVersionOf(const AnyObject& object) {
  return NumberOf(object.metadata().resource_version);
}

// The state of an object after an attempt to write it.
enum class ApplyState { kThere, kNotYet, kForeign };

// Writer applies one plan.
class Writer {
 public:
  Writer(const crds::SchedulerProfile& profile, const Observed& observed, WritePort& port,
         WriteMemory& memory, AppliedMemory& applied, const ApplyTerms& terms)
      : profile_(profile),
        observed_(observed),
        port_(port),
        memory_(memory),
        applied_(applied),
        terms_(terms) {}

  ApplyState Ensure(const RenderedObject& wanted);
  void Remove(const ObjectKey& key);

  ApplyOutcome outcome;

 private:
  bool MayWrite(const ObjectKey& key);
  ApplyState CreateNew(const RenderedObject& wanted);
  ApplyState Update(const RenderedObject& wanted, const AnyObject& live);
  ApplyState CorrectDrift(const RenderedObject& wanted, const AnyObject& live,
                          const std::vector<Difference>& differences);
  ApplyState Write(const RenderedObject& wanted, const AnyObject& live,
                   const std::vector<Difference>& differences, bool is_drift);
  // Removes the additions in `open` from `now`, and from `open` those that a write cannot remove.
  // Returns a text for each removed one.
  std::vector<std::string> RemoveAdditions(const RenderedObject& wanted,
                                           std::vector<Difference>& open, AnyObject& now);
  std::vector<Difference> AllDifferences(const RenderedObject& wanted, const AnyObject& live) const;
  bool IsOurs(const AnyObject& live) const;
  bool MustWait(const ObjectKey& key, const std::vector<Difference>& differences) const;
  void Contest(const ObjectKey& key, const std::vector<Difference>& differences);
  void RecordForeign(const ObjectKey& key, const AnyObject& live);
  void RecordFailure(const ObjectKey& key, std::string verb, Error error);
  void RecordWaiting(ReconcileError::Kind kind, const ObjectKey& key, std::string message,
                     std::chrono::nanoseconds requeue_after);
  void RecordContests(const ObjectKey& key);
  void RememberAdmission(const RenderedObject& wanted, const AnyObject& live,
                         std::vector<Difference> differences);
  void RecordAdmission(const ObjectKey& key);
  void RecordCorrection(const ObjectKey& key, const std::string& what);
  // `removed` has a text for each removed addition.
  void RecordCorrections(const ObjectKey& key, const std::vector<Difference>& differences,
                         const std::vector<std::string>& removed);
  void RecordWritten(const RenderedObject& wanted, AnyObject live, uint64_t deletions);

  const crds::SchedulerProfile& profile_;
  const Observed& observed_;
  WritePort& port_;
  WriteMemory& memory_;
  AppliedMemory& applied_;
  const ApplyTerms& terms_;
  bool is_live_ = false;  // the API server has confirmed the profile
};

// Source of the rule: ApplyPlan.
bool Writer::IsOurs(const AnyObject& live) const {
  if (const api::OwnerReference* owner = api::ControllerOf(live.metadata())) {
    return owner->uid == profile_.metadata.uid;
  }
  const auto known = applied_.uids.find(live.key());
  if (known != applied_.uids.end() && known->second == live.metadata().uid) return true;
  // A scheduler creates its Lease itself, without an owner, where it has the permission.
  return live.resource().kind == api::Lease::kResource.kind &&
         live.metadata().annotations.contains(std::string(api::kAppliedConfigHashAnnotation));
}

ApplyState Writer::Ensure(const RenderedObject& wanted) {
  const auto live = observed_.objects.find(wanted.key);
  if (live == observed_.objects.end()) return CreateNew(wanted);
  return Update(wanted, live->second);
}

// Asks the API server for the profile before the first write. The watch may not have delivered its
// deletion yet, and the work of the garbage collector must not look like drift: a correction would
// create deleted objects again, or restore the owner references that --cascade=orphan removed.
bool Writer::MayWrite(const ObjectKey& key) {
  if (is_live_) return true;
  if (outcome.profile_is_gone) return false;
  const Result<bool> live = port_.IsLive(profile_.metadata);
  if (!live) {
    RecordFailure(key, "read the profile before a write of", live.error());
    return false;
  }
  is_live_ = *live;
  outcome.profile_is_gone = !*live;
  return is_live_;
}

ApplyState Writer::CreateNew(const RenderedObject& wanted) {
  const bool was_removed = profile_.status.observed_generation == profile_.metadata.generation &&
                           !observed_.objects.empty();
  if (was_removed && applied_.corrections.MustWait(wanted.key, kWholeObject, terms_.now)) {
    Contest(wanted.key, {{.path = kWholeObject, .found = ""}});
    RecordContests(wanted.key);
    return ApplyState::kNotYet;
  }
  if (!MayWrite(wanted.key)) return ApplyState::kNotYet;
  const uint64_t deletions = memory_.DeletionsOf(wanted.key);
  Result<AnyObject> created = port_.Create(wanted);
  if (created) {
    if (was_removed) {
      applied_.corrections.Note(wanted.key, kWholeObject, terms_.now);
      RecordCorrection(wanted.key, "was missing and was created again");
    }
    RememberAdmission(wanted, *created, AllDifferences(wanted, *created));
    RecordWritten(wanted, std::move(*created), deletions);
    ++outcome.writes;
    RecordAdmission(wanted.key);
    RecordContests(wanted.key);
    return ApplyState::kThere;
  }
  if (!created.error().Is(Reason::kAlreadyExists)) {
    RecordFailure(wanted.key, "create", created.error());
    return ApplyState::kNotYet;
  }
  Result<AnyObject> live = port_.Get(wanted.key);
  if (live) return Update(wanted, *live);
  RecordFailure(wanted.key, "get", live.error());
  return ApplyState::kNotYet;
}

ApplyState Writer::Update(const RenderedObject& wanted, const AnyObject& live) {
  if (!IsOurs(live)) {
    RecordForeign(wanted.key, live);
    return ApplyState::kForeign;
  }
  applied_.uids[wanted.key] = live.metadata().uid;
  if (live.metadata().deletion_timestamp)
    return ApplyState::kNotYet;  // created again once it is gone
  const std::vector<Difference> differences =
      applied_.admission_drift.Among(wanted, live, AllDifferences(wanted, live));
  applied_.corrections.Review(wanted.key, differences, terms_.now);
  const ApplyState brought = CorrectDrift(wanted, live, differences);
  RecordAdmission(wanted.key);
  RecordContests(wanted.key);
  return brought;
}

// An object that differs although it was applied from the same text was changed by another client.
ApplyState Writer::CorrectDrift(const RenderedObject& wanted, const AnyObject& live,
                                const std::vector<Difference>& differences) {
  if (differences.empty()) return ApplyState::kThere;
  const std::string hash = HashOf(live);
  const bool is_drift = hash.empty() || hash == wanted.hash;
  if (is_drift && MustWait(wanted.key, differences)) {
    Contest(wanted.key, differences);
    return ApplyState::kThere;  // no other object waits for the end of a contest
  }
  if (!is_drift && wanted.part == Part::kPods && !terms_.may_replace_pods()) {
    RecordWaiting(
        ReconcileError::Kind::kWaitingForTurn, wanted.key,
        "the operator renders this scheduler differently than before; its pods are replaced "
        "when fewer other schedulers are being replaced (--max-concurrent-rollouts)",
        kUntilAskedForTurn);
    return ApplyState::kNotYet;
  }
  return Write(wanted, live, differences, is_drift);
}

// Sets rendered fields back by an apply, which keeps the fields of other field managers. So these
// are removed afterwards. The response to that write has the fields that admission and the API
// server add again; a further write would not remove them.
ApplyState Writer::Write(const RenderedObject& wanted, const AnyObject& live,
                         const std::vector<Difference>& differences, bool is_drift) {
  if (!MayWrite(wanted.key)) return ApplyState::kNotYet;
  const bool applies = !std::ranges::all_of(differences, &Difference::is_addition);
  const uint64_t deletions = memory_.DeletionsOf(wanted.key);
  Result<AnyObject> answer =
      applies ? port_.Apply(wanted, live.metadata().uid) : port_.Get(wanted.key);
  if (!answer) {
    const bool was_deleted = !applies && answer.error().Is(Reason::kNotFound);  // its event follows
    if (!was_deleted) RecordFailure(wanted.key, applies ? "patch" : "get", answer.error());
    return ApplyState::kNotYet;
  }
  AnyObject now = std::move(*answer);
  if (now.metadata().uid != live.metadata().uid) return ApplyState::kNotYet;
  std::vector<Difference> open =
      applied_.admission_drift.Among(wanted, now, AllDifferences(wanted, now));
  if (applies) {
    ++outcome.writes;
    std::erase_if(open, [](const Difference& difference) { return !difference.is_addition; });
  }
  const std::vector<std::string> removed = RemoveAdditions(wanted, open, now);
  std::vector<Difference> lasting = AllDifferences(wanted, now);
  std::erase_if(lasting, [&open](const Difference& difference) {
    return std::ranges::find(open, difference) != open.end();
  });
  RememberAdmission(wanted, now, std::move(lasting));
  RecordCorrections(wanted.key, is_drift && applies ? differences : std::vector<Difference>(),
                    removed);
  RecordWritten(wanted, std::move(now), deletions);
  return ApplyState::kThere;
}

std::vector<std::string> Writer::RemoveAdditions(const RenderedObject& wanted,
                                                 std::vector<Difference>& open, AnyObject& now) {
  std::vector<Difference> additions;
  std::ranges::copy_if(open, std::back_inserter(additions), &Difference::is_addition);
  std::vector<std::string> texts;
  if (additions.empty()) return texts;
  Result<AnyObject> without = port_.RemoveFields(wanted.key, RemovalPatch(wanted, now, additions));
  if (!without) {
    const bool was_changed = without.error().Is(Reason::kConflict);  // its event follows
    if (!was_changed) RecordFailure(wanted.key, "patch", without.error());
    return texts;
  }
  ++outcome.writes;
  std::erase_if(open, [](const Difference& difference) { return difference.is_addition; });
  const std::vector<Difference> left = AllDifferences(wanted, *without);
  for (const Difference& addition : additions) {
    if (std::ranges::find(left, addition.path, &Difference::path) != left.end()) continue;
    applied_.corrections.Note(wanted.key, addition.path, terms_.now);
    texts.push_back(fmt::format("{} was added by {} and was removed", addition.path,
                                NameOf(RivalOf(now.text(), addition.path, kFieldManager))));
  }
  now = std::move(*without);
  return texts;
}

std::vector<Difference> Writer::AllDifferences(const RenderedObject& wanted,
                                               const AnyObject& live) const {
  std::vector<Difference> all =
      Differences(wanted.object.type(), wanted.object.data(), live.data());
  std::ranges::move(Additions(wanted, live, terms_.allowed_additions), std::back_inserter(all));
  return all;
}

bool Writer::MustWait(const ObjectKey& key, const std::vector<Difference>& differences) const {
  return std::ranges::all_of(differences, [&](const Difference& difference) {
    return applied_.corrections.MustWait(key, difference.path, terms_.now);
  });
}

void Writer::Contest(const ObjectKey& key, const std::vector<Difference>& differences) {
  for (const Difference& difference : differences) {
    if (applied_.corrections.IsDeclared(key, difference.path)) continue;
    const Result<std::string> rival = port_.RivalOf(key, difference.path);
    applied_.corrections.Declare(key, difference.path, NameOf(rival.value_or("")));
    ++outcome.contests;
  }
}

void Writer::Remove(const ObjectKey& key) {
  const auto live = observed_.objects.find(key);
  if (live == observed_.objects.end()) return;
  const Result<void> deleted = port_.Delete(key, live->second.metadata().uid);
  if (!deleted) return RecordFailure(key, "delete", deleted.error());
  applied_.admission_drift.Forget(key);
  applied_.uids.erase(key);
  memory_.Observe(key);
  ++outcome.writes;
}

void Writer::RecordForeign(const ObjectKey& key, const AnyObject& live) {
  const api::OwnerReference* owner = api::ControllerOf(live.metadata());
  const bool is_leftover = owner && owner->kind == crds::SchedulerProfile::kResource.kind &&
                           owner->name == profile_.metadata.name;
  outcome.failures.push_back(
      {.kind =
           is_leftover ? ReconcileError::Kind::kBeingCollected : ReconcileError::Kind::kNotOwned,
       .key = key,
       .verb = "take",
       .error =
           Error(Reason::kConflict,
                 is_leftover ? fmt::format("{} of the deleted profile of this name is not gone yet",
                                           key.ToString())
                             : fmt::format("{} exists and is not this profile's: {}; delete it: {}",
                                           key.ToString(), OwnerText(live.metadata()),
                                           DeleteCommand(key)))});
}

void Writer::RecordFailure(const ObjectKey& key, std::string verb, Error error) {
  outcome.failures.push_back({.kind = ReconcileError::Kind::kFailed,
                              .key = key,
                              .verb = std::move(verb),
                              .error = std::move(error)});
}

void Writer::RecordWaiting(ReconcileError::Kind kind, const ObjectKey& key, std::string message,
                           std::chrono::nanoseconds requeue_after) {
  outcome.failures.push_back({.kind = kind,
                              .key = key,
                              .verb = "patch",
                              .error = Error(Reason::kConflict, std::move(message)),
                              .requeue_after = requeue_after});
}

void Writer::RecordContests(const ObjectKey& key) {
  for (const auto& [path, contest] : applied_.corrections.ContestsOf(key, terms_.now)) {
    RecordWaiting(ReconcileError::Kind::kContested, key, ContestText(key, path, contest.rival),
                  contest.wait);
  }
}

void Writer::RememberAdmission(const RenderedObject& wanted, const AnyObject& live,
                               std::vector<Difference> differences) {
  std::vector<std::string> mutators;
  if (!differences.empty()) {
    // Without the names the warning is still useful.
    if (const Result<Mutators> registered = port_.RegisteredMutators()) {
      mutators = MutatorsOf(live, *registered);
    }
  }
  applied_.admission_drift.Set(wanted, live, std::move(differences), std::move(mutators));
}

void Writer::RecordAdmission(const ObjectKey& key) {
  const std::vector<Difference> differences = applied_.admission_drift.Of(key);
  if (differences.empty()) return;
  const Difference& first = differences.front();
  const std::string object = key.ToString();
  std::string message =
      first.is_addition
          ? fmt::format("admission adds {} to {}: {}", first.path, object, Shown(first.found))
          : fmt::format("admission changes {} of {} to {}", first.path, object, Shown(first.found));
  if (differences.size() > 1) message += fmt::format(", and {} more", differences.size() - 1);
  message += MutatorText(applied_.admission_drift.MutatorsOf(key));
  outcome.failures.push_back({.kind = ReconcileError::Kind::kChangedByAdmission,
                              .key = key,
                              .verb = "patch",
                              .error = Error(Reason::kConflict, std::move(message))});
}

void Writer::RecordCorrection(const ObjectKey& key, const std::string& what) {
  outcome.events.push_back({.is_warning = false,
                            .reason = "DriftRepaired",
                            .action = "Repairing",
                            .note = key.ToString() + ": " + what,
                            .related = key});
}

// Does not count fields that admission changes back: they were not corrected.
void Writer::RecordCorrections(const ObjectKey& key, const std::vector<Difference>& differences,
                               const std::vector<std::string>& removed) {
  const std::vector<Difference> left = applied_.admission_drift.Of(key);
  std::vector<std::string> texts;
  for (const Difference& difference : differences) {
    if (difference.is_addition) continue;
    if (std::ranges::find(left, difference.path, &Difference::path) != left.end()) continue;
    applied_.corrections.Note(key, difference.path, terms_.now);
    if (texts.empty()) texts.push_back(difference.path + " was changed and was set back");
  }
  const size_t shown = std::min(removed.size(), kShownRemovals);
  texts.insert(texts.end(), removed.begin(), removed.begin() + static_cast<ptrdiff_t>(shown));
  if (shown < removed.size()) texts.push_back(fmt::format("and {} more", removed.size() - shown));
  if (!texts.empty()) RecordCorrection(key, Join(texts, "; "));
}

void Writer::RecordWritten(const RenderedObject& wanted, AnyObject live, uint64_t deletions) {
  applied_.uids[wanted.key] = live.metadata().uid;
  outcome.written.push_back(live);
  memory_.Remember(wanted.key, std::move(live), deletions);
}

// Forgets objects that are no longer planned, and adds those of an orphan.
void KeepUids(const Plan& plan, const Observed& observed, ObjectUids& uids) {
  if (plan.apply.empty()) return;  // the profile is not accepted
  std::erase_if(uids, [&plan](const auto& known) {
    return std::ranges::find(plan.apply, known.first, &RenderedObject::key) == plan.apply.end();
  });
  uids.merge(OrphanedUids(plan, observed));
}

// Reports whether deletes may follow. Errors that do not stop the profile do not hold them back.
bool IsComplete(const ApplyOutcome& outcome) {
  return std::ranges::all_of(outcome.failures, [](const ReconcileError& failure) {
    return failure.kind == ReconcileError::Kind::kContested ||
           failure.kind == ReconcileError::Kind::kChangedByAdmission;
  });
}

}  // namespace

uint64_t WriteMemory::DeletionsOf(const ObjectKey& key) const {
  std::lock_guard lock(mutex_);
  return CountDeletions(key);
}

uint64_t WriteMemory::CountDeletions(const ObjectKey& key) const {
  const auto found = deletions_.find(key);
  return found == deletions_.end() ? 0 : found->second;
}

void WriteMemory::Remember(const ObjectKey& key, AnyObject object, uint64_t deletions) {
  std::lock_guard lock(mutex_);
  if (deletions_[key] != deletions) return;
  const auto heard = versions_.find(key);
  const uint64_t written = ResourceVersionOf(object);
  if (heard != versions_.end() && heard->second >= written) return;
  written_[key] = std::move(object);
}

void WriteMemory::Observe(const ObjectKey& key, std::string_view version) {
  std::lock_guard lock(mutex_);
  const auto written = written_.find(key);
  if (version.empty()) {
    ++deletions_[key];
  } else {
    const uint64_t heard = NumberOf(version);
    versions_[key] = heard;
    if (written == written_.end() || heard < ResourceVersionOf(written->second)) {
      return;
    }
  }
  if (written != written_.end()) written_.erase(written);
}

std::vector<WriteMemory::Written> WriteMemory::WrittenFor(const std::string& profile_uid) const {
  std::lock_guard lock(mutex_);
  std::vector<Written> found;
  for (const auto& [key, object] : written_) {
    const api::OwnerReference* owner = api::ControllerOf(object.metadata());
    if (!owner || owner->uid != profile_uid) continue;
    found.push_back({object, CountDeletions(key)});
  }
  return found;
}

void WriteMemory::Overlay(const std::vector<Written>& written, Observed& observed) const {
  for (const auto& [object, deletions] : written) {
    if (DeletionsOf(object.key()) != deletions) continue;
    const auto cached = observed.objects.find(object.key());
    const bool is_older = cached != observed.objects.end() &&
                          ResourceVersionOf(object) < ResourceVersionOf(cached->second);
    if (!is_older) observed.Take(object);
  }
}

ApplyOutcome ApplyPlan(const Plan& plan, const Observed& observed, WritePort& port,
                       WriteMemory& memory, AppliedMemory& applied, const ApplyTerms& terms) {
  KeepUids(plan, observed, applied.uids);
  Writer writer(plan.profile, observed, port, memory, applied, terms);
  bool has_access = true;
  bool all_there = true;
  for (const RenderedObject& wanted : plan.apply) {
    const bool needs_access = wanted.part == Part::kConfiguration || wanted.part == Part::kPods;
    if (needs_access && !has_access) continue;
    const ApplyState brought = writer.Ensure(wanted);
    if (brought == ApplyState::kForeign) break;
    if (brought == ApplyState::kThere) continue;
    all_there = false;
    if (wanted.part == Part::kAccess) has_access = false;
  }
  if (all_there && IsComplete(writer.outcome)) {
    for (const ObjectKey& key : plan.remove) writer.Remove(key);
  }
  return std::move(writer.outcome);
}

}  // namespace berth::controllers
