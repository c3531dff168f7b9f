// SPDX-License-Identifier: Apache-2.0
// Moves of a pod between the parts of the queue, by event or by time.
#include <algorithm>

#include "scheduler/queue/scheduling_queue.h"

namespace berth::scheduler {

namespace {

constexpr std::string_view kBackoffComplete = "BackoffComplete";
// Label of metrics, as in kube-scheduler's Activate.
constexpr std::string_view kRetry = "ForceActivate";
constexpr std::string_view kUnschedulableTimeout = "UnschedulableTimeout";
constexpr std::chrono::seconds kLeftoverPeriod{30};

}  // namespace

SchedulingQueue::Item* SchedulingQueue::FindItem(const std::string& uid) {
  const auto found = items_.find(uid);
  return found == items_.end() ? nullptr : found->second.get();
}

SchedulingQueue::Item& SchedulingQueue::NewItem(QueuedPod queued) {
  auto item = std::make_unique<Item>();
  item->backoff_expiry = BackoffExpiry(queued, options_);
  item->queued = std::move(queued);
  item->sequence = ++next_sequence_;
  Item& added = *item;
  items_.emplace(added.uid(), std::move(item));
  CountRejections(added, Counted::kIn);
  return added;
}

SchedulingQueue::Sorted& SchedulingQueue::SortedOf(Part part) {
  if (part == Part::kActive) return active_;
  return part == Part::kBackoff ? backoff_ : error_backoff_;
}

void SchedulingQueue::Insert(Item& item, Part part) {
  item.part = part;
  if (part == Part::kUnschedulable) {
    unschedulable_.Add(item);
  } else {
    SortedOf(part).insert(&item);
  }
}

void SchedulingQueue::Take(Item& item) {
  if (item.part == Part::kUnschedulable) {
    unschedulable_.Remove(item);
  } else if (item.part != Part::kNone) {
    SortedOf(item.part).erase(&item);
  }
  item.part = Part::kNone;
}

std::unique_ptr<SchedulingQueue::Item> SchedulingQueue::Extract(Item& item) {
  Take(item);
  CountRejections(item, Counted::kOut);
  auto node = items_.extract(item.uid());
  return std::move(node.mapped());
}

// Records the plugin that gates the pod, or none.
void SchedulingQueue::Gate(Item& item) {
  const QueuedPod& queued = item.queued;
  const EnqueueContext context{.evictions = *evictions_, .cluster = cluster_};
  const Status status = queued.profile->RunPreEnqueue(*queued.pod, context, queued.gating_plugin);
  const std::optional<size_t> gate =
      status.ok() ? std::nullopt : queued.profile->IndexOf(status.plugin);
  if (gate) item.queued.was_flushed = false;
  if (gate == queued.gating_plugin) return;
  // An unschedulable pod is grouped by the plugins that rejected it.
  const bool is_waiting = item.part == Part::kUnschedulable;
  if (is_waiting) unschedulable_.Remove(item);
  RecordGate(item, gate);
  if (is_waiting) unschedulable_.Add(item);
}

void SchedulingQueue::RecordGate(Item& item, std::optional<size_t> plugin) {
  item.queued.gating_plugin = plugin;
  if (!plugin) return;
  if (!item.queued.rejected_by().Has(*plugin)) CountRejection(item, *plugin, Counted::kIn);
  item.queued.unschedulable_plugins.Add(*plugin);
}

// Adds or removes a queued pod in the count of each plugin that rejected it. Source: kube-scheduler
// pkg/scheduler/backend/queue, the callers of metrics.UnschedulableReason.
void SchedulingQueue::CountRejections(const Item& item, Counted counted) {
  item.queued.rejected_by().ForEach([&](size_t plugin) { CountRejection(item, plugin, counted); });
}

void SchedulingQueue::CountRejection(const Item& item, size_t plugin, Counted counted) {
  const Profile& profile = *item.queued.profile;
  size_t& count = rejected_[{std::string(profile.NameOf(plugin)), profile.scheduler_name()}];
  counted == Counted::kIn ? ++count : --count;
}

void SchedulingQueue::MoveToActive(Item& item, std::string_view label) {
  // A pod in backoff passed its gates on entry.
  const bool from_backoff = item.part == Part::kBackoff || item.part == Part::kErrorBackoff;
  if (!from_backoff) {
    Gate(item);
    if (item.gated()) return MoveToUnschedulable(item, label);
  }
  if (!item.queued.initial_attempt) item.queued.initial_attempt = clock_.Now();
  Take(item);
  Insert(item, Part::kActive);
  observer_.OnQueueIncoming(QueueName::kActive, label);
}

void SchedulingQueue::MoveToBackoff(Item& item, Part part, std::string_view label) {
  Gate(item);
  if (item.gated()) return MoveToUnschedulable(item, label);
  Take(item);
  Insert(item, part);
  observer_.OnQueueIncoming(QueueName::kBackoff, label);
}

// A pod that an update leaves there does not count as incoming. Source: kube-scheduler
// pkg/scheduler/backend/queue/unschedulable_entities.go, addOrUpdate.
void SchedulingQueue::MoveToUnschedulable(Item& item, std::string_view label) {
  if (item.part == Part::kUnschedulable) return;
  Take(item);
  Insert(item, Part::kUnschedulable);
  observer_.OnQueueIncoming(QueueName::kUnschedulable, label);
}

void SchedulingQueue::Requeue(Item& item, Strategy strategy, std::string_view label) {
  if (strategy == Strategy::kSkip) return MoveToUnschedulable(item, label);
  if (strategy == Strategy::kImmediately || !IsBackingOff(item.backoff_expiry, clock_.Now())) {
    MoveToActive(item, label);
    return;
  }
  // A pod whose rejecting plugins left with a former profile has no plugins, but no error either.
  const QueuedPod& queued = item.queued;
  const bool is_error = strategy == Strategy::kAfterErrorBackoff || queued.waits_out_backoff ||
                        (queued.consecutive_errors > 0 && queued.rejected_by().empty());
  MoveToBackoff(item, is_error ? Part::kErrorBackoff : Part::kBackoff, label);
}

void SchedulingQueue::RerunPreEnqueue(const std::string& uid) {
  owner_.AssertHeld();
  Item* item = FindItem(uid);
  if (item != nullptr && item->gated()) Gate(*item);
}

void SchedulingQueue::Retry(const std::string& uid) { RetryWith(Strategy::kAfterBackoff, uid); }

void SchedulingQueue::RetryAfterError(const std::string& uid) {
  RetryWith(Strategy::kAfterErrorBackoff, uid);
}

void SchedulingQueue::RetryWith(Strategy strategy, const std::string& uid) {
  owner_.AssertHeld();
  Item* item = FindItem(uid);
  if (item == nullptr || item->part != Part::kUnschedulable) return;
  Requeue(*item, strategy, kRetry);
}

void SchedulingQueue::Flush() {
  owner_.AssertHeld();
  const SteadyTime now = clock_.Now();
  FlushBackoff(backoff_, now);
  FlushBackoff(error_backoff_, now);
  if (now < next_leftover_flush_) return;
  next_leftover_flush_ = now + kLeftoverPeriod;
  FlushLeftovers(now);
}

void SchedulingQueue::FlushBackoff(Sorted& part, SteadyTime now) {
  while (!part.empty() && !IsBackingOff((*part.begin())->backoff_expiry, now)) {
    MoveToActive(**part.begin(), kBackoffComplete);
  }
}

// Gated pods are evaluated again, too, so that none stays gated because its event was missed.
void SchedulingQueue::FlushLeftovers(SteadyTime now) {
  std::vector<Item*> due;
  for (Item* item : unschedulable_.All()) {
    const SteadyTime since = std::max(item->queued.timestamp, item->queued.flushed_at);
    if (now - since > options_.max_in_unschedulable) due.push_back(item);
  }
  if (due.empty()) return;
  for (Item* item : due) {
    item->queued.was_flushed = true;
    item->queued.flushed_at = now;
    Take(*item);
    Requeue(*item, Strategy::kAfterBackoff, kUnschedulableTimeout);
  }
  in_flight_.Record({Resource::kWildcard, action::kAll, kUnschedulableTimeout}, {});
}

std::optional<SteadyTime> SchedulingQueue::NextWakeUp() const {
  std::optional<SteadyTime> next;
  const auto at = [&](SteadyTime time) { next = next ? std::min(*next, time) : time; };
  for (const Sorted* part : {&backoff_, &error_backoff_}) {
    if (!part->empty()) at((*part->begin())->backoff_expiry + kBackoffWindow);
  }
  if (!unschedulable_.empty()) at(next_leftover_flush_);
  return next;
}

QueuedPod SchedulingQueue::NewPod(std::shared_ptr<const PendingPod> pod) const {
  QueuedPod queued{.pod = std::move(pod), .timestamp = clock_.Now()};
  queued.profile = profiles_.find(queued.pod->pod().spec.scheduler_name)->second;
  return queued;
}

void SchedulingQueue::Adopt(QueuedPod& queued) const {
  const auto& profile = profiles_.find(queued.pod->pod().spec.scheduler_name)->second;
  if (queued.profile == profile) return;
  const Profile& old = *queued.profile;
  queued.unschedulable_plugins = profile->Translate(old, queued.unschedulable_plugins);
  queued.pending_plugins = profile->Translate(old, queued.pending_plugins);
  if (queued.gating_plugin) {
    queued.gating_plugin = profile->IndexOf(old.NameOf(*queued.gating_plugin));
  }
  queued.profile = profile;
}

}  // namespace berth::scheduler
