// SPDX-License-Identifier: Apache-2.0
#include "scheduler/queue/scheduling_queue.h"

#include <algorithm>

#include "base/check.h"

namespace berth::scheduler {

namespace {

constexpr std::string_view kPodAdd = "UnscheduledPodAdd";
constexpr std::string_view kAttemptFailure = "ScheduleAttemptFailure";
constexpr std::string_view kPopFromBackoff = "PopFromBackoffQ";
constexpr std::string_view kProfileReload = "ProfileReload";
constexpr std::string_view kForceActivate = "ForceActivate";

}  // namespace

std::string_view ToString(QueueName name) {
  switch (name) {
    case QueueName::kActive:
      return "active";
    case QueueName::kBackoff:
      return "backoff";
    case QueueName::kUnschedulable:
      return "unschedulable";
    case QueueName::kGated:
      return "gated";
  }
  return "";
}

bool SchedulingQueue::Order::operator()(const Item* a, const Item* b) const {
  const bool by_expiry = a->part == Part::kBackoff || a->part == Part::kErrorBackoff;
  if (by_expiry && a->backoff_expiry != b->backoff_expiry) {
    return a->backoff_expiry < b->backoff_expiry;
  }
  if (a->part != Part::kErrorBackoff) {
    if (queue->sorter_->Less(a->queued, b->queued)) return true;
    if (queue->sorter_->Less(b->queued, a->queued)) return false;
  }
  return a->sequence < b->sequence;
}

void SchedulingQueue::SetProfiles(ProfileMap profiles) {
  owner_.AssertHeld();
  BERTH_CHECK(!profiles.empty(), "a scheduler serves at least one profile");
  for (const std::string& uid : Uids()) {
    if (!profiles.contains(FindItem(uid)->queued.pod->pod().spec.scheduler_name)) Delete(uid);
  }
  // The sort order and the plugins may change, so all pods are removed before and inserted again
  // after.
  std::vector<std::pair<Item*, Part>> queued;
  for (const auto& [uid, item] : items_) {
    queued.emplace_back(item.get(), item->part);
    Take(*item);
    CountRejections(*item, Counted::kOut);
  }
  profiles_ = std::move(profiles);
  sorter_ = profiles_.begin()->second.get();
  for (const auto& [item, part] : queued) {
    Adopt(item->queued);
    CountRejections(*item, Counted::kIn);
    Insert(*item, part);
  }

  const ClusterEvent reload{Resource::kWildcard, action::kAll, kProfileReload};
  in_flight_.Record(reload, {});
  for (Item* item : unschedulable_.All()) Requeue(*item, Strategy::kAfterBackoff, kProfileReload);
}

void SchedulingQueue::Add(std::shared_ptr<const PendingPod> pod,
                          std::shared_ptr<const GangTurn> gang) {
  owner_.AssertHeld();
  if (const Item* known = FindItem(pod->uid())) {
    const std::shared_ptr<const PendingPod> old_pod = known->queued.pod;
    return Update(old_pod, pod, std::move(gang));
  }
  if (!in_flight_.Has(pod->uid())) AddNew(pod, std::move(gang));
}

// A gated pod keeps its nomination, too: pods of lower priority do not get its node.
void SchedulingQueue::AddNew(const std::shared_ptr<const PendingPod>& pod,
                             std::shared_ptr<const GangTurn> gang) {
  nominator_.Nominate(pod, pod->nominated_node_name());
  QueuedPod queued = NewPod(pod);
  queued.gang = std::move(gang);
  MoveToActive(NewItem(std::move(queued)), kPodAdd);
}

void SchedulingQueue::Update(const std::shared_ptr<const PendingPod>& old_pod,
                             const std::shared_ptr<const PendingPod>& new_pod,
                             std::shared_ptr<const GangTurn> gang) {
  owner_.AssertHeld();
  const EventObjects objects{.old_pod = old_pod, .new_pod = new_pod};
  if (in_flight_.Has(new_pod->uid())) {
    for (const ClusterEvent& event : PodUpdateEvents(*old_pod, *new_pod)) {
      in_flight_.RecordFor(new_pod->uid(), event, objects);
    }
    return;
  }
  Item* item = FindItem(new_pod->uid());
  if (item == nullptr) return AddNew(new_pod, std::move(gang));
  Exchange(*item, new_pod, std::move(gang));
  nominator_.Update(*old_pod, new_pod);
  if (item->part != Part::kUnschedulable) return;
  for (const ClusterEvent& event : PodUpdateEvents(*old_pod, *new_pod)) {
    Requeue(*item, WorthRequeueing(item->queued, event, objects), event.Label());
    if (item->part != Part::kUnschedulable) return;
  }
}

// Replaces the pod of an item, which may change its sort position; its backoff expiry stays.
void SchedulingQueue::Exchange(Item& item, const std::shared_ptr<const PendingPod>& new_pod,
                               std::shared_ptr<const GangTurn> gang) {
  const Part part = item.part;
  Take(item);
  item.queued.pod = new_pod;
  item.queued.gang = std::move(gang);
  Insert(item, part);
}

void SchedulingQueue::Delete(const std::string& uid) {
  owner_.AssertHeld();
  nominator_.Delete(uid);
  if (Item* item = FindItem(uid)) Extract(*item);
}

std::optional<QueuedPod> SchedulingQueue::Pop() {
  owner_.AssertHeld();
  if (active_.empty() && backoff_.empty()) return std::nullopt;
  const bool early = active_.empty();
  Item& head = early ? **backoff_.begin() : **active_.begin();
  if (early) observer_.OnQueueIncoming(QueueName::kActive, kPopFromBackoff);
  return TakeOff(head);
}

std::optional<QueuedPod> SchedulingQueue::PopPod(const std::string& uid) {
  owner_.AssertHeld();
  Item* item = FindItem(uid);
  if (item == nullptr || item->gated()) return std::nullopt;
  return TakeOff(*item);
}

QueuedPod SchedulingQueue::TakeOff(Item& found) {
  const std::unique_ptr<Item> item = Extract(found);
  BERTH_CHECK(in_flight_.Add(item->uid()), "pod " + item->uid() + " was queued while in flight");
  QueuedPod queued = std::move(item->queued);
  ++queued.attempts;
  if (!queued.initial_attempt) queued.initial_attempt = clock_.Now();
  return queued;
}

void SchedulingQueue::AddUnschedulableIfNotPresent(QueuedPod queued) {
  owner_.AssertHeld();
  const std::string uid = queued.pod->uid();
  if (FindItem(uid) != nullptr) return in_flight_.Done(uid);

  const bool is_error = queued.rejected_by().empty();
  if (is_error) {
    ++queued.consecutive_errors;
  } else {
    ++queued.unschedulable_count;
    queued.consecutive_errors = 0;
  }
  queued.timestamp = clock_.Now();
  queued.was_flushed = false;
  queued.flushed_at = {};
  Adopt(queued);
  const Strategy strategy =
      is_error || !in_flight_.Has(uid) ? Strategy::kAfterBackoff : ReplayMissed(queued);
  in_flight_.Done(uid);

  Requeue(NewItem(std::move(queued)), strategy, kAttemptFailure);
}

void SchedulingQueue::MoveAll(const ClusterEvent& event, const EventObjects& objects,
                              const Concerns& concerns) {
  owner_.AssertHeld();
  if (!event.IsWildcard() && !IsOfInterest(event)) return;
  std::vector<std::pair<Item*, Strategy>> moves;
  unschedulable_.ForEachCandidate(event, [&](const auto& pods) {
    std::optional<Strategy> strategy;  // shared by all of them
    for (const auto& [sequence, item] : pods) {
      if (concerns && !concerns(*item->queued.pod)) continue;
      if (!strategy) strategy = WorthRequeueing(item->queued, event, objects);
      if (strategy == Strategy::kSkip) return;
      moves.emplace_back(item, *strategy);
    }
  });
  // Requeue in order of arrival, across groups.
  std::ranges::sort(moves, {}, [](const auto& move) { return move.first->sequence; });
  const std::string label = moves.empty() ? std::string() : event.Label();
  for (const auto& [item, strategy] : moves) {
    Take(*item);
    Requeue(*item, strategy, label);
  }
  in_flight_.Record(event, objects);
}

void SchedulingQueue::Activate(const std::set<std::string>& uids) {
  owner_.AssertHeld();
  for (const std::string& uid : uids) {
    Item* item = FindItem(uid);
    if (item == nullptr) {
      in_flight_.RecordFor(uid, {Resource::kWildcard, action::kAll, kForceActivate}, {});
    } else if (item->part != Part::kActive) {
      MoveToActive(*item, kForceActivate);
    }
  }
}

QueueStatistics SchedulingQueue::Statistics() const {
  QueueStatistics figures;
  figures.active = active_.size();
  figures.backoff = backoff_.size() + error_backoff_.size();
  figures.gated = unschedulable_.gated();
  figures.unschedulable = unschedulable_.size() - unschedulable_.gated();
  figures.in_flight_pods = in_flight_.pods();
  figures.in_flight_events = in_flight_.events();
  figures.by_plugin = rejected_;
  return figures;
}

bool SchedulingQueue::IsInBackoff(const std::string& uid) const {
  const auto found = items_.find(uid);
  return found != items_.end() && found->second->part != Part::kActive &&
         IsBackingOff(found->second->backoff_expiry, clock_.Now());
}

std::optional<QueueName> SchedulingQueue::WhereIs(const std::string& uid) const {
  const auto found = items_.find(uid);
  if (found == items_.end()) return std::nullopt;
  switch (found->second->part) {
    case Part::kActive:
      return QueueName::kActive;
    case Part::kBackoff:
    case Part::kErrorBackoff:
      return QueueName::kBackoff;
    case Part::kUnschedulable:
      return found->second->gated() ? QueueName::kGated : QueueName::kUnschedulable;
    case Part::kNone:
      break;
  }
  return std::nullopt;
}

const QueuedPod* SchedulingQueue::Find(const std::string& uid) const {
  const auto found = items_.find(uid);
  return found == items_.end() ? nullptr : &found->second->queued;
}

std::vector<std::string> SchedulingQueue::Uids() const {
  std::vector<std::string> uids;
  for (const auto& [uid, item] : items_) uids.push_back(uid);
  std::sort(uids.begin(), uids.end());
  return uids;
}

}  // namespace berth::scheduler
