// SPDX-License-Identifier: Apache-2.0
#include "controllers/pod_group_controller.h"

#include <chrono>
#include <utility>

#include "controllers/difference.h"
#include "controllers/requeue.h"

namespace berth::controllers {
namespace {

constexpr WorkQueue::Backoff kGroupBackoff{.first = std::chrono::milliseconds(100),
                                           .limit = std::chrono::seconds(60)};

std::string GroupOf(const api::Pod& pod) {
  const auto label = pod.metadata.labels.find(std::string(api::kPodGroupLabel));
  if (label == pod.metadata.labels.end() || label->second.empty()) return "";
  return pod.metadata.namespace_ + "/" + label->second;
}

// Removes the fields of a pod that the plan does not read.
void TrimToPlanFields(api::Pod& pod) {
  api::Pod kept;
  kept.metadata = {.name = pod.metadata.name,
                   .namespace_ = pod.metadata.namespace_,
                   .uid = pod.metadata.uid,
                   .resource_version = pod.metadata.resource_version,
                   .owner_references = pod.metadata.owner_references};
  const std::string label(api::kPodGroupLabel);
  kept.metadata.labels[label] = pod.metadata.labels[label];
  kept.status.phase = pod.status.phase;
  pod = std::move(kept);
}

// A deleted PodGroup needs no status; a changed one is enqueued by its watch event.
Outcome OutcomeOf(const Error& error) {
  if (error.Is(Reason::kNotFound)) return {};
  if (error.Is(Reason::kConflict)) return {.kind = Outcome::Kind::kRetry};
  return {.kind = Outcome::Kind::kRetry, .error = error};
}

}  // namespace

PodGroupController::PodGroupController(client::Client& client, ClientPort& port, const Clock& clock,
                                       MetricsRegistry& metrics)
    : client_(client),
      port_(port),
      clock_(clock),
      queue_(clock, kGroupBackoff),
      metrics_(metrics, "podgroup", 1, queue_),
      groups_(client, {.may_be_absent = true}, clock) {
  groups_.Listen([this](const api::Change<api::PodGroup>& change) {
    Enqueue(api::KeyOf(change.newest().metadata));
  });
  groups_.WhenListed([this] { groups_.status().absent ? ForgetPods() : FollowPods(); });
}

PodGroupController::~PodGroupController() { Stop(); }

void PodGroupController::Watch() { groups_.Start(); }

void PodGroupController::Work() {
  worker_ = std::jthread([this] { Run(); });
}

void PodGroupController::Stop() {
  queue_.ShutDown();
  groups_.Stop();
  ForgetPods();
  if (worker_.joinable()) worker_.join();
}

void PodGroupController::FollowPods() {
  if (pods_) return;
  pods_ = std::make_unique<Pods>(
      client_, client::ReflectorOptions{.label_selector = std::string(api::kPodGroupLabel)},
      clock_);
  pods_->Transform(TrimToPlanFields);
  pods_->Listen([this](const api::Change<api::Pod>& change) { Take(change); });
  pods_->WhenSynced([this] { EnqueueAll(); });
  pods_->Start();
}

void PodGroupController::ForgetPods() {
  pods_.reset();
  const std::lock_guard lock(mutex_);
  knows_pods_ = false;
  group_of_.clear();
  pods_of_.clear();
}

void PodGroupController::Take(const api::Change<api::Pod>& change) {
  const api::Pod& newest = change.newest();
  const std::string pod = api::KeyOf(newest.metadata);
  const std::string group = change.after ? GroupOf(*change.after) : "";
  std::string before;
  {
    const std::lock_guard lock(mutex_);
    if (const auto known = group_of_.extract(pod)) {
      before = known.mapped();
      const auto pods = pods_of_.find(before);
      pods->second.erase(newest.metadata.name);
      if (pods->second.empty()) pods_of_.erase(pods);
    }
    if (!group.empty()) {
      group_of_[pod] = group;
      pods_of_[group][newest.metadata.name] = change.after;
    }
  }
  if (!before.empty() && before != group) Enqueue(before);
  if (!group.empty()) Enqueue(group);
}

void PodGroupController::EnqueueAll() {
  {
    const std::lock_guard lock(mutex_);
    knows_pods_ = true;
  }
  for (const auto& group : groups_.store().List()) Enqueue(api::KeyOf(group->metadata));
}

void PodGroupController::Enqueue(const std::string& key) {
  metrics_.CountAdd();
  queue_.Add(key);
}

void PodGroupController::Run() {
  while (const auto key = queue_.Get()) {
    if (!queue_.IsShutDown()) {
      const ControllerMetrics::Running running = metrics_.Begin();
      const Outcome outcome = Reconcile(*key);
      metrics_.Count(outcome);
      Requeue(outcome, api::PodGroup::kResource.kind, *key, queue_);
    }
    queue_.Done(*key);
  }
}

std::optional<GroupPods> PodGroupController::PodsOf(const std::string& key) const {
  const std::lock_guard lock(mutex_);
  if (!knows_pods_) return std::nullopt;
  const auto found = pods_of_.find(key);
  return found == pods_of_.end() ? GroupPods() : found->second;
}

Outcome PodGroupController::Reconcile(const std::string& key) {
  const size_t slash = key.find('/');
  const auto group = groups_.store().Get(key.substr(0, slash), key.substr(slash + 1));
  const auto pods = PodsOf(key);
  if (!group) warned_of_.erase(key);
  if (!group || !pods) return {};
  const api::PodGroupStatus status = StatusOf(*group, *pods);
  Outcome outcome;
  if (status != group->status) {
    const Result<void> written = port_.PatchStatus(api::PodGroup::kResource, group->metadata,
                                                   MergePatch(group->status, status));
    if (!written) return OutcomeOf(written.error());
    outcome.writes = 1;
  }
  if (const auto wait = OverdueIn(*group, status, clock_.Wall())) {
    if (*wait > std::chrono::nanoseconds::zero()) {
      outcome.requeue_after = *wait;
    } else {
      WarnOnce(*group);
    }
  }
  return outcome;
}

void PodGroupController::WarnOnce(const api::PodGroup& group) {
  if (std::exchange(warned_of_[api::KeyOf(group.metadata)], group.metadata.uid) ==
      group.metadata.uid) {
    return;
  }
  port_.Record(client::ReferenceTo(group),
               {.is_warning = true,
                .reason = "Timeout",
                .action = "Reconciling",
                .note = "no pod of the group is running 48 h after the group was created",
                .related = std::nullopt});
}

}  // namespace berth::controllers
