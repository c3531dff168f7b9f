// SPDX-License-Identifier: Apache-2.0
#include "scheduler/binding_cycle.h"

#include <utility>

#include "base/check.h"
#include "base/log.h"

namespace berth::scheduler {

void BindingCycle::Start(const Parts& parts, std::shared_ptr<Attempt> attempt,
                         Assumption assumption, const Profile::PermitOutcome& permit,
                         std::shared_ptr<GangBindBarrier> barrier) {
  const std::string uid = attempt->uid();
  const auto cycle = std::make_shared<BindingCycle>(parts, std::move(attempt),
                                                    std::move(assumption), std::move(barrier));
  const bool added = parts.table.cycles_.emplace(uid, cycle).second;
  BERTH_CHECK(added, "pod " + uid + " already has a binding cycle");
  cycle->Run(permit);
}

BindingCycle::BindingCycle(const Parts& parts, std::shared_ptr<Attempt> attempt,
                           Assumption assumption, std::shared_ptr<GangBindBarrier> barrier)
    : parts_(parts),
      attempt_(std::move(attempt)),
      assumption_(std::move(assumption)),
      context_(attempt_->Cycle(parts_.cache)),
      barrier_(std::move(barrier)) {}

bool BindingCycle::Table::CancelPreBind(const std::string& uid, const std::string& message) const {
  const auto found = cycles_.find(uid);
  if (found == cycles_.end()) return false;
  const std::shared_ptr<BindingCycle> cycle = found->second;  // its end removes it from the table
  if (cycle->waits_for_gang_) {
    cycle->Fail(Status::Failed(message));
    return true;
  }
  if (!cycle->in_pre_bind_) return false;
  cycle->cancellation_.Request(message);
  return true;
}

void BindingCycle::Table::AbandonAll() {
  for (const auto& [uid, cycle] : cycles_) cycle->Abandon();
}

void BindingCycle::Run(const Profile::PermitOutcome& permit) {
  if (barrier_ != nullptr && !barrier_->Join(shared_from_this())) {
    return Fail(Status::Failed(barrier_->cause()));
  }
  flight_ = attempt_->profile->RunPreBindPreFlight(context_, attempt_->node);
  if (!flight_.status.ok() && flight_.status.code != Code::kSkip) return Fail(flight_.status);
  if (flight_.status.ok() || !permit.waits.empty()) Nominate();
  if (permit.waits.empty()) return PermitEnded(Status::Success());

  const SteadyTime began = parts_.clock.Now();
  parts_.waiting.Add(attempt_->bound, permit.waits, began,
                     [self = shared_from_this(), began](const Status& verdict) {
                       self->parts_.observer.OnPermitWait(verdict.code,
                                                          self->parts_.clock.Now() - began);
                       self->PermitEnded(verdict);
                     });
}

// Writes the chosen node into the pod's status if the binding will take a while, so that other
// components see that its resources are reserved.
void BindingCycle::Nominate() {
  const api::Pod& pod = attempt_->queued.pod->pod();
  if (pod.status.nominated_node_name == attempt_->node.name()) return;
  PodStatusPatch patch;
  patch.nominated_node_name = attempt_->node.name();
  parts_.api.PatchPodStatus(
      PodRef::Of(pod), std::move(patch),
      [key = attempt_->bound->Key()](const Result<void>& result) {
        if (result || result.error().Is(Reason::kCanceled)) return;
        log::Warn("Could not write the nominated node", {{"pod", key}, {"err", result.error()}});
      });
}

void BindingCycle::PermitEnded(const Status& verdict) {
  if (verdict.rejected()) return Fail(verdict);
  if (!verdict.ok()) {  // Source: framework/runtime/framework.go, WaitOnPermit
    return Fail(Status::Failed("waiting on permit for pod: " + verdict.Message()));
  }
  parts_.queue.Done(attempt_->uid());
  PreBind();
}

void BindingCycle::PreBind() {
  in_pre_bind_ = flight_.status.ok();
  attempt_->profile->RunPreBind(
      context_, attempt_->node, flight_, cancellation_,
      [self = shared_from_this()](const Status& status) { self->PreBindEnded(status); });
}

void BindingCycle::PreBindEnded(const Status& status) {
  in_pre_bind_ = false;
  if (!status.ok()) return Fail(status);
  // Canceled, but no plugin noticed.
  if (cancellation_.IsRequested()) return Fail(Status::Failed(cancellation_.cause()));
  if (barrier_ == nullptr) return Bind();
  waits_for_gang_ = true;
  const auto barrier = barrier_;  // Bind resets it
  barrier->Arrive();
}

void BindingCycle::GiveUp(const std::string& why) {
  const std::string& uid = attempt_->uid();
  if (waits_for_gang_) return Fail(Status::Failed(why));
  if (parts_.waiting.Has(uid)) {
    parts_.waiting.Reject(uid, barrier_->plugin(), why);
    return;
  }
  cancellation_.Request(why);
}

void BindingCycle::Bind() {
  waits_for_gang_ = false;
  barrier_.reset();
  attempt_->profile->RunBind(context_, attempt_->node,
                             [self = shared_from_this()](const Status& status) {
                               if (!status.ok()) return self->Fail(status);
                               self->Bound();
                             });
}

void BindingCycle::Bound() {
  assumption_.Commit();
  const PendingPod& pod = *attempt_->bound;
  const QueuedPod& queued = attempt_->queued;
  const std::string& profile = attempt_->profile->scheduler_name();
  log::V(2).Info("Bound pod", {{"pod", pod.Key()}, {"node", attempt_->node.name()}});
  // The API server accepts a binding to any node name.
  if (attempt_->node.In(parts_.cache) == nullptr) {
    log::Warn("Bound pod to a deleted node", {{"pod", pod.Key()}, {"node", attempt_->node.name()}});
  }
  parts_.api.RecordEvent(
      PodRef::Of(pod.pod()).Reference(),
      {.type = EventType::kNormal,
       .reporting_controller = profile,
       .reason = "Scheduled",
       .action = "Binding",
       .note = "Successfully assigned " + pod.Key() + " to " + attempt_->node.name()});
  const SteadyTime now = parts_.clock.Now();
  parts_.observer.OnAttempt(AttemptResult::kScheduled, profile, now - attempt_->started);
  parts_.observer.OnPodScheduled(queued.attempts, now - queued.initial_attempt.value_or(now),
                                 queued.was_flushed);
  attempt_->profile->RunPostBind(context_, attempt_->node);
  ActivateRequested(*attempt_, parts_.queue);
  parts_.table.cycles_.erase(attempt_->uid());
}

void BindingCycle::Fail(const Status& status) {
  // The caller holds a reference, so leaving the table does not destroy this object.
  const std::shared_ptr<BindingCycle> self = shared_from_this();
  parts_.table.cycles_.erase(attempt_->uid());
  const bool had_arrived = std::exchange(waits_for_gang_, false);
  // After Permit no failure counts as a rejection: the pod is retried, independent of events.
  const bool is_in_permit = parts_.queue.IsInFlight(attempt_->uid());
  AttemptFailure failure = is_in_permit
                               ? FailureAfterChoice(*attempt_, status)
                               : AttemptFailure{.status = status, .message = status.Message()};
  const bool room_is_free = assumption_.Undo();
  if (room_is_free && !status.rejected()) WakeOthers(false);
  parts_.failures.Handle(*attempt_, std::move(failure));
  if (room_is_free && status.rejected()) WakeOthers(true);
  if (const auto barrier = std::exchange(barrier_, nullptr)) {
    barrier->Leave(*this, had_arrived, status.Message());
  }
}

void BindingCycle::WakeOthers(bool except_this_pod) {
  SchedulingQueue::Concerns concerns;
  if (except_this_pod) {
    concerns = [this](const PendingPod& pod) { return pod.uid() != attempt_->uid(); };
  }
  parts_.queue.MoveAll({Resource::kAssignedPod, action::kDelete, {}}, {.old_pod = attempt_->bound},
                       concerns);
}

}  // namespace berth::scheduler
