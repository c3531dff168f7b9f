// SPDX-License-Identifier: Apache-2.0
#include "scheduler/scheduler.h"

#include <algorithm>
#include <utility>

#include "base/log.h"
#include "scheduler/gangs/group_condition.h"
#include "scheduler/score_log.h"

namespace berth::scheduler {

namespace {

// Longer searches are logged, because they delay all other pods.
constexpr std::chrono::seconds kLongSearch{1};

}  // namespace

Scheduler::Scheduler(const Clock& clock, ApiPort& api, Vocabulary& words,
                     SchedulerObserver& observer, QueueOptions options,
                     std::function<double()> random)
    : clock_(clock),
      api_(api),
      words_(words),
      observer_(observer),
      cache_(words),
      queue_(clock, observer, options),
      failures_(clock, api, observer, pending_, queue_),
      evictor_({.clock = clock,
                .api = api,
                .observer = observer,
                .cache = cache_,
                .queue = queue_,
                .waiting = waiting_,
                .bindings = bindings_,
                .pending = pending_}),
      volume_binder_({.clock = clock, .api = api, .cache = cache_}),
      member_ends_(api, cache_),
      gang_watch_({.clock = clock,
                   .api = api,
                   .cache = cache_,
                   .histories = gang_histories_,
                   .ends = member_ends_}),
      random_(std::move(random)) {
  queue_.SetClusterState(evictor_, cache_);
  cache_.gangs().OnEnded([this](const std::string& key) {
    gang_histories_.Forget(key);
    member_ends_.Forget(key);
  });
}

// A pending callback references its binding, which may therefore outlive the cache.
Scheduler::~Scheduler() { bindings_.AbandonAll(); }

std::vector<std::string> Scheduler::SetProfiles(ProfileMap profiles) {
  owner_.AssertHeld();
  if (gang_cycle_ != nullptr) {
    gang_cycle_->Abort();
    EndGang();
  }
  std::vector<std::string> new_names;
  for (const auto& [name, profile] : profiles) {
    if (!profiles_.contains(name)) new_names.push_back(name);
  }
  profiles_ = std::move(profiles);
  if (result_cache_ != nullptr) result_cache_->Clear();
  std::erase_if(pending_, [this](const auto& entry) { return !Serves(entry.second->pod()); });
  queue_.SetProfiles(profiles_);
  gang_watch_.OnProfiles(profiles_);
  return new_names;
}

void Scheduler::SetResultCacheBytes(size_t bytes) {
  owner_.AssertHeld();
  result_cache_ = bytes == 0 ? nullptr : std::make_unique<ResultCache>(bytes);
}

SchedulerStatistics Scheduler::Statistics() const {
  const QueueStatistics queue = queue_.Statistics();
  const ResultCacheStatistics result_cache =
      result_cache_ != nullptr ? result_cache_->statistics() : ResultCacheStatistics();
  return {.active = queue.active,
          .backoff = queue.backoff,
          .unschedulable = queue.unschedulable,
          .gated = queue.gated,
          .rejected = queue.by_plugin,
          .nodes = cache_.node_count(),
          .pods = cache_.pod_count(),
          .assumed_pods = cache_.assumed_count(),
          .interned_texts = words_.size(),
          .result_cache_bytes = result_cache.bytes,
          .cache_repairs = cache_.repairs(),
          .results_cached = result_cache.kept,
          .results_computed = result_cache.computed,
          .result_cache_evictions = result_cache.evictions};
}

bool Scheduler::ScheduleOne() {
  owner_.AssertHeld();
  if (gang_cycle_ != nullptr) {
    ContinueGang();
    return true;
  }

  // 1. Pop the next pod, with its profile.
  std::optional<QueuedPod> queued = queue_.Pop();
  if (!queued) return false;
  const std::shared_ptr<Attempt> attempt = NewAttempt(std::move(*queued));

  // 2. Skip pods that need no node any more.
  if (IsToBeSkipped(*attempt)) {
    queue_.Done(attempt->uid());
    return true;
  }

  const Gang* gang = cache_.GangOf(*attempt->queued.pod);
  const auto* gang_plugin = gang != nullptr ? attempt->profile->gang_plugin(gang->api()) : nullptr;
  if (gang_plugin != nullptr) {
    // 3. and 4. for all members together.
    gang_cycle_ = std::make_unique<GangCycle>(
        GangCycle::Parts{
            .host = *this, .clock = clock_, .cache = cache_, .histories = gang_histories_},
        *gang, *gang_plugin);
    gang_cycle_->Start(attempt);
    ContinueGang();
    return true;
  }

  // 3. Find the best node.
  const Outcome outcome = FindNode(*attempt, &evictor_, nullptr, nullptr);

  // 4. Place the pod: reserve the node, and bind while the next pod is scheduled. Or handle the
  // failure.
  if (outcome.kind == Outcome::Kind::kPlaced) {
    PlaceOn(attempt, outcome.node);
  } else {
    RecordPreemption(outcome);
    failures_.Handle(*attempt, FailureOf(*attempt, outcome));
  }

  // 8. Start the evictions that preemption requested; the cycle no longer reads the snapshot.
  evictor_.Proceed();
  return true;
}

void Scheduler::ContinueGang() {
  if (gang_cycle_->Proceed(clock_.Now() + kGangPart)) EndGang();
}

void Scheduler::EndGang() {
  gang_cycle_.reset();
  evictor_.Proceed();
}

std::shared_ptr<Attempt> Scheduler::NewAttempt(QueuedPod queued) const {
  auto attempt = std::make_shared<Attempt>();
  attempt->profile = queued.profile;
  attempt->queued = std::move(queued);
  attempt->started = clock_.Now();
  return attempt;
}

bool Scheduler::IsToBeSkipped(const Attempt& attempt) {
  const PendingPod& pod = *attempt.queued.pod;
  if (pod.terminating()) {
    api_.RecordEvent(PodRef::Of(pod.pod()).Reference(),
                     {.type = EventType::kWarning,
                      .reporting_controller = attempt.profile->scheduler_name(),
                      .reason = "FailedScheduling",
                      .action = "Scheduling",
                      .note = "skip schedule deleting pod: " + pod.Key()});
    return true;
  }
  return cache_.IsAssumed(pod.uid());
}

// Records the failure on the PodGroup: its condition, and an event if the note is new.
void Scheduler::OnGangFailure(const std::string& key, const Status& why) {
  const Gang* gang = cache_.gangs().Find(key);
  if (gang == nullptr) return;
  const std::string note = why.Message();
  WriteScheduledCondition(api_, *gang, why, clock_.Wall());
  if (!gang_histories_.RecordFailure(*gang, clock_.Now(), note)) return;
  RecordGangEvent(api_, *gang, "FailedScheduling", note);
}

// Requeues the members that waited for the end of the gang's bindings.
void Scheduler::OnGangBindingEnd(const std::string& key, bool binds) {
  const bool is_waited_for = gang_histories_.EndBinding(key);
  const Gang* gang = cache_.gangs().Find(key);
  if (gang == nullptr) return;
  if (binds) WriteScheduledCondition(api_, *gang, Status::Success(), clock_.Wall());
  if (is_waited_for) RetryGang(*gang, {});
}

std::shared_ptr<Attempt> Scheduler::PopMember(const std::string& uid) {
  std::optional<QueuedPod> queued = queue_.PopPod(uid);
  if (!queued) return nullptr;
  std::shared_ptr<Attempt> attempt = NewAttempt(std::move(*queued));
  if (!IsToBeSkipped(*attempt)) return attempt;
  queue_.Done(uid);
  return nullptr;
}

std::shared_ptr<const PendingPod> Scheduler::FindPending(const std::string& uid) const {
  const auto found = pending_.find(uid);
  return found != pending_.end() && !found->second->terminating() ? found->second : nullptr;
}

void Scheduler::Evict(EvictionRequest request) {
  observer_.OnPreemption(request.victims.size());
  evictor_.Start(std::move(request));
}

Outcome Scheduler::FindNode(Attempt& attempt, Evictions* evictions, const Status* gang_rejection,
                            KnownRejections* known) {
  cache_.BeginCycle();
  const PendingPod& pod = *attempt.queued.pod;
  CycleTrace* trace = observer_.BeginTrace(pod);
  const bool is_observed = trace != nullptr;
  const bool logs_scores = log::IsEnabled(kScoreVerbosity);
  std::optional<CycleTrace> for_log;
  if (logs_scores && !is_observed) trace = &for_log.emplace();
  const AlgorithmInput input{.profile = *attempt.profile,
                             .snapshot = cache_,
                             .pod = pod,
                             .nominated = queue_.nominator(),
                             .start = next_start_node_,
                             .trace = trace,
                             .result_cache = result_cache_.get(),
                             .makes_room = evictions != nullptr,
                             .evictions = evictions,
                             .random = &random_,
                             .gang_rejection = gang_rejection,
                             .known_rejections = known};
  Outcome outcome = SchedulePod(input, attempt.state);
  const auto took = clock_.Now() - attempt.started;
  observer_.OnAlgorithm(took);
  if (took > kLongSearch) {
    log::Warn("Scheduling took too long",
              {{"pod", pod.Key()}, {"seconds", std::chrono::duration<double>(took).count()}});
  }
  if (logs_scores) LogScores(input, outcome, *trace);
  if (is_observed) observer_.EndTrace(pod, outcome.node.name());
  return outcome;
}

void Scheduler::RecordPreemption(const Outcome& outcome) {
  if (const auto& preemption = outcome.post_filter.preemption) {
    observer_.OnPreemption(preemption->evicted);
  }
}

AttemptFailure Scheduler::FailureOf(const Attempt& attempt, const Outcome& outcome) const {
  if (outcome.kind == Outcome::Kind::kError) {
    return {.status = outcome.error, .message = outcome.error.Message()};
  }
  AttemptFailure failure;
  failure.message = FitErrorText(outcome);
  failure.status = Status::Unschedulable(failure.message);
  failure.unschedulable_plugins = outcome.unschedulable_plugins;
  failure.pending_plugins = outcome.pending_plugins;
  if (attempt.profile->HasPostFilter()) {
    failure.nominating = outcome.post_filter.mode;
    failure.nominated_node = outcome.post_filter.nominated_node;
  }
  return failure;
}

void Scheduler::PlaceOn(const std::shared_ptr<Attempt>& attempt, const NodeRef& node) {
  const auto fail = [&](const Status& status) {
    failures_.Handle(*attempt, FailureAfterChoice(*attempt, status));
  };
  // 5. Assume and Reserve: from now on the pod counts on its node for other pods.
  auto reserved = AssumeAndReserve(attempt, node);
  if (const auto* status = std::get_if<Status>(&reserved)) return fail(*status);
  auto& assumption = std::get<Assumption>(reserved);

  // 6. Permit.
  CycleContext cycle = attempt->Cycle(cache_);
  const Profile::PermitOutcome permit = attempt->profile->RunPermit(cycle, node);
  if (!permit.status.ok() && permit.status.code != Code::kWait) {
    assumption.Undo();
    return fail(permit.status);
  }

  // 7. Bind, and activate the pods that Permit plugins want with it (PodsToActivate).
  Bind(attempt, std::move(assumption), permit, nullptr);
}

std::variant<Assumption, Status> Scheduler::AssumeAndReserve(
    const std::shared_ptr<Attempt>& attempt, const NodeRef& node) {
  if (bindings_.Has(attempt->uid())) {
    return Status::Failed("the binding of an earlier attempt is still under way");
  }
  attempt->node = node;
  attempt->bound = attempt->queued.pod->AssumedOn(node.word());
  attempt->volumes = &volume_binder_;
  Result<Assumption> assumption = Assumption::Create(cache_, attempt);
  if (!assumption) return Status::Failed(assumption.error().message());
  queue_.ReleaseNomination(attempt->uid());
  CycleContext cycle = attempt->Cycle(cache_);
  if (Status status = attempt->profile->RunReserve(cycle, node); !status.ok()) {
    assumption->Undo();
    return status;
  }
  return std::move(*assumption);
}

void Scheduler::Bind(const std::shared_ptr<Attempt>& attempt, Assumption assumption,
                     const Profile::PermitOutcome& permit,
                     std::shared_ptr<GangBindBarrier> barrier) {
  ActivateRequested(*attempt, queue_);
  BindingCycle::Start(BindingParts(), attempt, std::move(assumption), permit, std::move(barrier));
}

BindingCycle::Parts Scheduler::BindingParts() {
  return {.clock = clock_,
          .api = api_,
          .observer = observer_,
          .cache = cache_,
          .queue = queue_,
          .waiting = waiting_,
          .failures = failures_,
          .table = bindings_};
}

void Scheduler::Tick() {
  owner_.AssertHeld();
  waiting_.Expire(clock_.Now());
  volume_binder_.Expire(clock_.Now());
  // A gang whose cycle is suspended is not incomplete.
  if (gang_cycle_ == nullptr) gang_watch_.Look(profiles_);
  queue_.Flush();
}

std::optional<SteadyTime> Scheduler::NextWakeUp() const {
  std::optional<SteadyTime> next = queue_.NextWakeUp();
  const auto next_look = gang_cycle_ == nullptr ? gang_watch_.NextLook() : std::nullopt;
  for (const auto other : {waiting_.NextDeadline(), volume_binder_.NextDeadline(), next_look}) {
    if (other && (!next || *other < *next)) next = other;
  }
  return next;
}

}  // namespace berth::scheduler
