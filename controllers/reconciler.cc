// SPDX-License-Identifier: Apache-2.0
#include "controllers/reconciler.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "base/log.h"
#include "client/event_recorder.h"
#include "controllers/claims.h"
#include "controllers/conditions.h"
#include "controllers/difference.h"
#include "controllers/reconcile_errors.h"

namespace berth::controllers {
namespace {

constexpr std::chrono::milliseconds kUntilWatchesKnow{100};
constexpr std::chrono::seconds kUntilStalledAgain{30};

void LookSooner(std::optional<std::chrono::nanoseconds> in, Outcome& outcome) {
  if (in && (!outcome.requeue_after || *in < *outcome.requeue_after)) outcome.requeue_after = in;
}

// What passes is tried again soon, also where something else stalls.
Outcome OutcomeOf(const std::vector<ReconcileError>& failures) {
  Outcome outcome;
  for (const ReconcileError& failure : failures) {
    const Severity severity = SeverityOf(failure);
    LookSooner(failure.requeue_after, outcome);
    if (severity == Severity::kTransient && outcome.kind != Outcome::Kind::kRetry) {
      outcome.kind = Outcome::Kind::kRetry;
      outcome.error = failure.error;
    } else if (severity == Severity::kStalls && outcome.kind == Outcome::Kind::kDone) {
      outcome.kind = Outcome::Kind::kStalled;
      outcome.error = failure.error;
      LookSooner(kUntilStalledAgain, outcome);
    }
  }
  return outcome;
}

// Where no scheduler may run nothing is looked at, nor watched, unless this one was allowed once: who
// writes profiles could have all namespaces of the cluster watched otherwise.
bool MayHaveObjects(const crds::SchedulerProfile& profile, const crds::Allowances& allowances) {
  return crds::AllowsNamespace(allowances, profile.spec.namespace_) ||
         !profile.status.scheduler.config_hash.empty();
}

}  // namespace

Reconciler::Reconciler(ObservePort& cluster, WritePort& port, WriteMemory& memory,
                       const PluginCatalogue& catalogue, PlanOptions options, const Clock& clock)
    : cluster_(cluster),
      port_(port),
      memory_(memory),
      catalogue_(catalogue),
      options_(std::move(options)),
      clock_(clock),
      turns_(options_.max_concurrent_rollouts) {}

Outcome Reconciler::Reconcile(const std::string& name) {
  // 1. What is wanted.
  const auto profile = cluster_.Profile(name);
  if (!profile) return Finish(name);
  if (profile->metadata.deletion_timestamp) return {};  // garbage collection has the rest
  const std::shared_ptr<Memory> kept = MemoryOf(*profile);
  if (profile->metadata.generation < kept->generation) {
    return {.kind = Outcome::Kind::kRetry, .requeue_after = std::nullopt, .error = std::nullopt};
  }
  kept->generation = profile->metadata.generation;
  if (profile->status.observed_generation != kept->generation) kept->asked_for = kept->generation;

  // 2. What is there, and what to do about it.
  std::optional<Planned> planned = PlanNext(*profile);
  if (!planned)
    return {.kind = Outcome::Kind::kDone, .requeue_after = kUntilWatchesKnow, .error = {}};
  auto& [observed, plan, freed] = *planned;
  if (!observed.deployment || !IsRollingOut(*observed.deployment)) turns_.End(name);

  // 3. Make it so.
  const ApplyOutcome applied = Apply(plan, observed, *kept);

  // 4. Say what came of it: of the objects as they are now, since a Deployment that was just written
  // begins its rollout with that.
  for (const AnyObject& object : applied.written) observed.Take(object);
  Outcome outcome =
      Report(*profile, ReportOn(plan, observed, applied.failures, clock_.Wall()), applied);
  outcome.others = ClaimantsOf(freed);
  return outcome;
}

// Two plans made at once could give one name to two profiles.
std::optional<Reconciler::Planned> Reconciler::PlanNext(const crds::SchedulerProfile& profile) {
  const std::lock_guard lock(plan_mutex_);
  std::optional<Observed> observed =
      MayHaveObjects(profile, options_.allowances) ? cluster_.Observe(profile) : Observed();
  if (!observed) return std::nullopt;
  memory_.Overlay(profile.metadata.uid, *observed);
  observed->names_in_use = names_in_use_;
  observed->names_given_up = names_given_up_[profile.metadata.name];
  Plan plan = PlanObjects(profile, *observed, catalogue_, options_);

  std::vector<std::string> freed = MayServe(profile, names_in_use_);
  std::erase_if(freed, [&plan](const std::string& name) {
    return std::ranges::find(plan.names_in_use, name) != plan.names_in_use.end();
  });
  names_in_use_[profile.metadata.name] = plan.names_in_use;
  names_given_up_[profile.metadata.name] = plan.names_given_up;
  return Planned{std::move(*observed), std::move(plan), std::move(freed)};
}

std::vector<std::string> Reconciler::ClaimantsOf(const std::vector<std::string>& names) {
  std::vector<std::string> claimants;
  if (names.empty()) return claimants;
  for (const auto& profile : cluster_.AllProfiles()) {
    const bool claims = std::ranges::any_of(
        names, [&profile](const std::string& name) { return Claims(*profile, name); });
    if (claims) claimants.push_back(profile->metadata.name);
  }
  return claimants;
}

// Whoever changed the profile waits for what comes of it; an upgrade of the operator can wait.
ApplyOutcome Reconciler::Apply(const Plan& plan, const Observed& observed, Memory& kept) {
  if (plan.paused) return {};
  const bool is_asked_for = kept.asked_for == kept.generation;
  const auto may_replace_pods = [&] {
    return is_asked_for || turns_.Take(plan.profile.metadata.name, observed.profiles);
  };
  return ApplyPlan(plan, observed, port_, memory_, kept.applied,
                   {.now = clock_.Now(), .may_replace_pods = may_replace_pods});
}

Outcome Reconciler::Report(const crds::SchedulerProfile& profile, const ProfileReport& report,
                           const ApplyOutcome& applied) {
  const api::ObjectReference regarding = client::ReferenceTo(profile);
  for (const PlannedEvent& event : applied.events) {
    log::Info("Repaired object", {{"profile", profile.metadata.name}, {"what", event.note}});
    port_.Record(regarding, event);
  }
  Outcome outcome = OutcomeOf(applied.failures);
  outcome.writes = applied.writes;
  outcome.corrections = static_cast<int>(applied.events.size());
  outcome.contests = applied.contests;
  LookSooner(report.requeue_after, outcome);

  const std::string patch = MergePatch(profile.status, report.status);
  if (patch == "{}") return outcome;
  const Result<void> written = port_.PatchStatus(profile.metadata, patch);
  if (!written) {
    // Gone is no failure, and neither is a newer state, whose event is on the way.
    if (written.error().Is(Reason::kNotFound)) return outcome;
    outcome.kind = Outcome::Kind::kRetry;
    if (!written.error().Is(Reason::kConflict)) outcome.error = written.error();
    return outcome;
  }
  ++outcome.writes;
  for (const PlannedEvent& event : report.events) port_.Record(regarding, event);
  return outcome;
}

// Objects go with their owner; pods that still wait for the scheduler have to be told.
Outcome Reconciler::Finish(const std::string& name) {
  turns_.End(name);
  Outcome outcome;
  outcome.others = ClaimantsOf(FreeNamesOf(name));
  std::shared_ptr<const crds::SchedulerProfile> profile;
  {
    std::lock_guard lock(mutex_);
    memories_.erase(name);
    const auto found = deleted_.find(name);
    if (found == deleted_.end()) return outcome;
    profile = std::move(found->second);
    deleted_.erase(found);
  }
  const Result<void> told = RecordDeletedEvents(*profile);
  if (told) return outcome;
  outcome.kind = Outcome::Kind::kRetry;
  outcome.error = told.error();
  std::lock_guard lock(mutex_);
  deleted_.emplace(name, std::move(profile));  // unless another was deleted meanwhile
  return outcome;
}

// The scheduler of a deleted profile goes on for as long as garbage collection takes.
std::vector<std::string> Reconciler::FreeNamesOf(const std::string& deleted) {
  if (cluster_.IsBound(deleted)) return {};
  const std::lock_guard lock(plan_mutex_);
  names_given_up_.erase(deleted);
  const auto freed = names_in_use_.extract(deleted);
  return freed ? freed.mapped() : std::vector<std::string>();
}

bool Reconciler::IsServed(const std::string& scheduler) {
  const Profiles all = cluster_.AllProfiles();
  const std::lock_guard lock(plan_mutex_);
  return HolderOf(scheduler, all, names_in_use_) != nullptr;
}

// All pods are found before the first is told, so that a repetition tells nobody twice.
Result<void> Reconciler::RecordDeletedEvents(const crds::SchedulerProfile& profile) {
  std::vector<std::pair<std::string, std::vector<api::ObjectReference>>> waiting;
  for (const std::string& scheduler : NamesOf(profile)) {
    if (IsServed(scheduler)) continue;
    auto pods = port_.PendingPods(scheduler);
    if (!pods) return Fail(pods.error().With("look for pods of deleted scheduler " + scheduler));
    waiting.emplace_back(scheduler, std::move(*pods));
  }
  for (const auto& [scheduler, pods] : waiting) {
    for (const api::ObjectReference& pod : pods) {
      port_.Record(pod, {.is_warning = true,
                         .reason = "SchedulerDeleted",
                         .action = "Scheduling",
                         .note = fmt::format("SchedulerProfile {} was deleted; nobody serves "
                                             "scheduler name {} any more",
                                             profile.metadata.name, scheduler),
                         .related = std::nullopt});
    }
  }
  return {};
}

void Reconciler::RecordDeleted(std::shared_ptr<const crds::SchedulerProfile> profile) {
  std::lock_guard lock(mutex_);
  deleted_[profile->metadata.name] = std::move(profile);
}

std::shared_ptr<Reconciler::Memory> Reconciler::MemoryOf(const crds::SchedulerProfile& profile) {
  std::lock_guard lock(mutex_);
  deleted_.erase(profile.metadata.name);
  std::shared_ptr<Memory>& memory = memories_[profile.metadata.name];
  if (!memory || memory->uid != profile.metadata.uid) {
    memory = std::make_shared<Memory>();
    memory->uid = profile.metadata.uid;
  }
  return memory;
}

}  // namespace berth::controllers
