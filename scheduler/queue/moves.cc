// SPDX-License-Identifier: Apache-2.0
// How a pod gets from one part of the queue to another, by event or by time.
#include <algorithm>

#include "scheduler/queue/scheduling_queue.h"

namespace berth::scheduler {

namespace {

constexpr std::string_view kBackoffComplete = "BackoffComplete";
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
  return added;
}

SchedulingQueue::Sorted& SchedulingQueue::SortedOf(Part part) {
  if (part == Part::kActive) return active_;
  return part == Part::kBackoff ? backoff_ : error_backoff_;
}

void SchedulingQueue::Insert(Item& item, Part part) {
  item.part = part;
  if (part == Part::kUnschedulable) {
    unschedulable_.emplace(item.sequence, &item);
  } else {
    SortedOf(part).insert(&item);
  }
}

void SchedulingQueue::Take(Item& item) {
  if (item.part == Part::kUnschedulable) {
    unschedulable_.erase(item.sequence);
  } else if (item.part != Part::kNone) {
    SortedOf(item.part).erase(&item);
  }
  item.part = Part::kNone;
}

std::unique_ptr<SchedulingQueue::Item> SchedulingQueue::Extract(Item& item) {
  Take(item);
  auto node = items_.extract(item.uid());
  return std::move(node.mapped());
}

// Gate notes which plugin keeps the pod out of the active part, or that none does.
void SchedulingQueue::Gate(Item& item) {
  QueuedPod& queued = item.queued;
  const Profile& profile = ProfileOf(*queued.pod);
  const Status status = profile.RunPreEnqueue(*queued.pod, queued.gating_plugin);
  queued.gating_plugin = {};
  if (status.ok()) return;
  queued.gating_plugin = profile.PluginName(status.plugin);
  queued.unschedulable_plugins.insert(queued.gating_plugin);
}

bool SchedulingQueue::MoveToActive(Item& item, std::string_view label) {
  // What comes out of backoff passed its gates when it went in.
  const bool from_backoff = item.part == Part::kBackoff || item.part == Part::kErrorBackoff;
  if (!from_backoff) {
    Gate(item);
    if (item.gated()) {
      MoveToUnschedulable(item, label);
      return false;
    }
  }
  if (!item.queued.initial_attempt) item.queued.initial_attempt = clock_.Now();
  Take(item);
  Insert(item, Part::kActive);
  observer_.OnQueueIncoming(QueueName::kActive, label);
  return true;
}

void SchedulingQueue::MoveToBackoff(Item& item, std::string_view label) {
  Gate(item);
  if (item.gated()) return MoveToUnschedulable(item, label);
  Take(item);
  const bool refused =
      !item.queued.unschedulable_plugins.empty() || !item.queued.pending_plugins.empty();
  Insert(item, refused ? Part::kBackoff : Part::kErrorBackoff);
  observer_.OnQueueIncoming(QueueName::kBackoff, label);
}

void SchedulingQueue::MoveToUnschedulable(Item& item, std::string_view label) {
  Take(item);
  Insert(item, Part::kUnschedulable);
  observer_.OnQueueIncoming(QueueName::kUnschedulable, label);
}

void SchedulingQueue::Requeue(Item& item, Strategy strategy, std::string_view label) {
  if (strategy == Strategy::kSkip) return MoveToUnschedulable(item, label);
  if (strategy == Strategy::kAfterBackoff && IsBackingOff(item.backoff_expiry, clock_.Now())) {
    return MoveToBackoff(item, label);
  }
  MoveToActive(item, label);
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

void SchedulingQueue::FlushLeftovers(SteadyTime now) {
  std::vector<Item*> due;
  for (const auto& [sequence, item] : unschedulable_) {
    const bool waited = now - item->queued.timestamp > options_.max_in_unschedulable;
    if (waited && !item->gated()) due.push_back(item);
  }
  if (due.empty()) return;
  for (Item* item : due) {
    item->queued.was_flushed = true;
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

const Profile& SchedulingQueue::ProfileOf(const PodInfo& pod) const {
  return *profiles_.find(pod.pod().spec.scheduler_name)->second;
}

void SchedulingQueue::NominateFromStatus(const std::shared_ptr<const PodInfo>& pod) {
  nominator_.Nominate(pod, pod->nominated_node_name());
}

}  // namespace berth::scheduler
