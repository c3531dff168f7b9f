// SPDX-License-Identifier: Apache-2.0
#include "controllers/reconciler.h"

#include <utility>

#include <fmt/format.h>

#include "base/log.h"
#include "base/strings.h"
#include "client/event_recorder.h"
#include "controllers/conditions.h"
#include "controllers/difference.h"
#include "controllers/reconcile_errors.h"

namespace berth::controllers {
namespace {

constexpr std::chrono::milliseconds kUntilWatchesKnow{100};
constexpr std::chrono::seconds kUntilStalledAgain{30};
// A change of a Service that a profile calls is noticed within this time.
constexpr std::chrono::minutes kUntilServicesAgain{1};

void RequeueWithin(std::optional<std::chrono::nanoseconds> in, Outcome& outcome) {
  if (in && (!outcome.requeue_after || *in < *outcome.requeue_after)) outcome.requeue_after = in;
}

// Transient errors are retried soon, even if another problem is permanent.
Outcome OutcomeOf(const std::vector<ReconcileError>& failures) {
  Outcome outcome;
  for (const ReconcileError& failure : failures) {
    const Severity severity = SeverityOf(failure);
    RequeueWithin(failure.requeue_after, outcome);
    if (severity == Severity::kTransient && outcome.kind != Outcome::Kind::kRetry) {
      outcome.kind = Outcome::Kind::kRetry;
      outcome.error = failure.error;
    } else if (severity == Severity::kStalls && outcome.kind == Outcome::Kind::kDone) {
      outcome.kind = Outcome::Kind::kStalled;
      outcome.error = failure.error;
      RequeueWithin(kUntilStalledAgain, outcome);
    }
  }
  return outcome;
}

// A namespace where no scheduler may run is neither read nor watched, unless this scheduler was
// allowed there before. Otherwise the authors of profiles could make the operator watch all
// namespaces.
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
  // 1. Read the profile.
  const auto profile = cluster_.Profile(name);
  if (!profile) return Finish(name);
  const std::shared_ptr<Memory> kept = MemoryOf(*profile);
  if (profile->metadata.generation < kept->generation) {
    return {.kind = Outcome::Kind::kRetry, .requeue_after = std::nullopt, .error = std::nullopt};
  }
  kept->generation = profile->metadata.generation;
  if (profile->status.observed_generation != kept->generation) kept->asked_for = kept->generation;

  // 2. Observe and plan.
  auto services = ReadCalledServices(*profile, options_.allowances, port_);
  if (!services) {
    return {.kind = Outcome::Kind::kRetry,
            .requeue_after = std::nullopt,
            .error = std::move(services).error()};
  }
  std::optional<Planned> planned = PlanNext(*profile, std::move(*services));
  if (!planned)
    return {.kind = Outcome::Kind::kDone, .requeue_after = kUntilWatchesKnow, .error = {}};
  auto& [observed, plan, freed] = *planned;
  if (!observed.deployment || !IsRollingOut(*observed.deployment)) turns_.End(name);

  // 3. Apply.
  const ApplyOutcome applied = Apply(plan, observed, *kept);
  if (applied.profile_is_gone) return {};  // the event of its deletion follows

  // 4. Report on the objects as they are now: writing a Deployment starts its rollout.
  for (const AnyObject& object : applied.written) observed.Take(object);
  ProfileReport report = ReportOn(plan, observed, applied.failures, clock_.Wall());
  report.status.scheduler.objects = RecordOf(kept->applied.uids);
  Outcome outcome = Report(*profile, report, applied);
  if (!observed.services.empty()) RequeueWithin(kUntilServicesAgain, outcome);
  outcome.others = ProfilesAwaiting(freed);
  return outcome;
}

std::optional<Reconciler::Planned> Reconciler::PlanNext(const crds::SchedulerProfile& profile,
                                                        CalledServices services) {
  NameRegistry::Planning planning(names_);
  const std::optional<Leftovers> leftovers = cluster_.DeletedProfiles();
  if (!leftovers) return std::nullopt;
  planning.Add(*leftovers);
  const auto written = memory_.WrittenFor(profile.metadata.uid);
  std::optional<Observed> observed =
      MayHaveObjects(profile, options_.allowances) ? cluster_.Observe(profile) : Observed();
  if (!observed) return std::nullopt;
  memory_.Overlay(written, *observed);
  observed->services = std::move(services);
  observed->names = planning.table();
  Plan plan = PlanObjects(profile, *observed, catalogue_, options_);
  std::vector<std::string> freed = planning.Store(profile, plan.names);
  return Planned{std::move(*observed), std::move(plan), std::move(freed)};
}

std::vector<std::string> Reconciler::ProfilesAwaiting(const std::vector<std::string>& freed) {
  return freed.empty() ? freed : ProfilesWithNames(freed, cluster_.AllProfiles());
}

// A change of the profile is rolled out at once; an upgrade of the operator waits for its turn.
ApplyOutcome Reconciler::Apply(const Plan& plan, const Observed& observed, Memory& kept) {
  if (plan.paused || plan.terminating) return {};
  const bool is_asked_for = kept.asked_for == kept.generation;
  const auto may_replace_pods = [&] {
    return is_asked_for || turns_.Take(plan.profile.metadata.name, observed.profiles);
  };
  return ApplyPlan(plan, observed, port_, memory_, kept.applied,
                   {.now = clock_.Now(),
                    .may_replace_pods = may_replace_pods,
                    .allowed_additions = options_.allowances.additions});
}

Outcome Reconciler::Report(const crds::SchedulerProfile& profile, const ProfileReport& report,
                           const ApplyOutcome& applied) {
  const api::ObjectReference regarding = client::ReferenceTo(profile);
  for (const PlannedEvent& event : applied.events) {
    log::Info("Corrected drift of object",
              {{"profile", profile.metadata.name}, {"reason", event.reason}, {"what", event.note}});
    port_.Record(regarding, event);
  }
  Outcome outcome = OutcomeOf(applied.failures);
  outcome.writes = applied.writes;
  outcome.corrections = static_cast<int>(applied.events.size());
  outcome.contests = applied.contests;
  RequeueWithin(report.requeue_after, outcome);

  const std::string patch = MergePatch(profile.status, report.status);
  if (patch == "{}") return outcome;
  const Result<void> written = port_.PatchStatus(profile.metadata, patch);
  if (!written) {
    // A deleted profile is no failure, and neither is a conflict: the event of the newer state
    // follows.
    if (written.error().Is(Reason::kNotFound)) return outcome;
    outcome.kind = Outcome::Kind::kRetry;
    if (!written.error().Is(Reason::kConflict)) outcome.error = written.error();
    return outcome;
  }
  ++outcome.writes;
  for (const PlannedEvent& event : report.events) port_.Record(regarding, event);
  return outcome;
}

// The garbage collector deletes the owned objects. Pending pods of the scheduler get an event.
Outcome Reconciler::Finish(const std::string& name) {
  turns_.End(name);
  Outcome outcome;
  const std::optional<Leftovers> leftovers = cluster_.DeletedProfiles();
  if (!leftovers)
    return {.kind = Outcome::Kind::kDone, .requeue_after = kUntilWatchesKnow, .error = {}};
  const auto leftover = leftovers->find(name);
  if (leftover == leftovers->end()) {
    outcome.others = ProfilesAwaiting(names_.Release(name));
  } else if (leftover->second.is_orphaned) {
    // The profiles that wait for it learn that it stays.
    if (ReportOrphan(name, leftover->second))
      outcome.others = ProfilesAwaiting(leftover->second.names);
  }
  std::vector<std::string> scheduler_names;
  {
    std::lock_guard lock(mutex_);
    memories_.erase(name);
    if (leftover == leftovers->end()) orphans_.erase(name);
    const auto found = deleted_.find(name);
    if (found == deleted_.end()) return outcome;
    scheduler_names = std::move(found->second);
    deleted_.erase(found);
  }
  const Result<void> recorded = RecordDeletedEvents(name, scheduler_names);
  if (recorded) return outcome;
  outcome.kind = Outcome::Kind::kRetry;
  outcome.error = recorded.error();
  std::lock_guard lock(mutex_);
  deleted_.emplace(name, std::move(scheduler_names));  // unless a newer one was deleted meanwhile
  return outcome;
}

// Records the event of an orphan once. Returns false if it was recorded before.
bool Reconciler::ReportOrphan(const std::string& profile, const Leftover& orphan) {
  {
    std::lock_guard lock(mutex_);
    if (!orphans_.insert(profile).second) return false;
  }
  const std::string note = fmt::format(
      "SchedulerProfile {} was deleted without its scheduler, which may still bind pods "
      "of scheduler names {}; {}",
      profile, Join(orphan.names, ", "), OrphanAdvice(profile));
  log::Warn("Found an orphaned scheduler", {{"profile", profile}, {"reason", note}});
  port_.Record(orphan.object, {.is_warning = true,
                               .reason = "SchedulerOrphaned",
                               .action = "Reconciling",
                               .note = note,
                               .related = std::nullopt});
  return true;
}

size_t Reconciler::orphans() const {
  std::lock_guard lock(mutex_);
  return orphans_.size();
}

// Lists all pods of a name before its first event, so that a retry repeats no event.
Result<void> Reconciler::RecordDeletedEvents(const std::string& profile,
                                             std::vector<std::string>& scheduler_names) {
  Result<void> result;
  std::erase_if(scheduler_names, [&](const std::string& scheduler) {
    if (names_.HasOwner(scheduler, cluster_.AllProfiles())) return true;
    const auto pods = port_.PendingPods(scheduler);
    if (!pods) {
      result = Fail(pods.error().With("list the pending pods of deleted scheduler " + scheduler));
      return false;
    }
    for (const api::ObjectReference& pod : *pods) {
      port_.Record(pod, {.is_warning = true,
                         .reason = "SchedulerDeleted",
                         .action = "Scheduling",
                         .note = fmt::format("SchedulerProfile {} was deleted; no profile serves "
                                             "scheduler name {}",
                                             profile, scheduler),
                         .related = std::nullopt});
    }
    return true;
  });
  return result;
}

void Reconciler::RecordDeleted(std::shared_ptr<const crds::SchedulerProfile> profile) {
  std::lock_guard lock(mutex_);
  deleted_[profile->metadata.name] = NamesOf(*profile);
}

std::shared_ptr<Reconciler::Memory> Reconciler::MemoryOf(const crds::SchedulerProfile& profile) {
  std::lock_guard lock(mutex_);
  deleted_.erase(profile.metadata.name);
  orphans_.erase(profile.metadata.name);
  std::shared_ptr<Memory>& memory = memories_[profile.metadata.name];
  if (!memory || memory->uid != profile.metadata.uid) {
    memory = std::make_shared<Memory>();
    memory->uid = profile.metadata.uid;
    memory->applied.uids = RecordedUids(profile);
  }
  return memory;
}

}  // namespace berth::controllers
