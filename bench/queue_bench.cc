// SPDX-License-Identifier: Apache-2.0
// The scheduling queue: pods that are added and popped, and events that may wake many pods.
#include <fmt/format.h>

#include "base/check.h"
#include "base/fake_clock.h"
#include "bench/cases.h"
#include "bench/fixtures.h"
#include "scheduler/queue/scheduling_queue.h"

namespace berth::bench {
namespace {

using scheduler::ClusterEvent;
using scheduler::PendingPod;
using scheduler::QueuedPod;
using scheduler::Resource;

// FilledQueue is a queue of the default profile and pods of 64 shapes for it.
class FilledQueue : public Workload {
 public:
  size_t Operations() const override { return pods_.size(); }

 protected:
  explicit FilledQueue(size_t pods) {
    const auto profile = DefaultProfile({clock_, api_, words_});
    queue_.SetProfiles({{profile->scheduler_name(), profile}});
    for (size_t i = 0; i < pods; ++i) {
      pods_.push_back(PendingPod::Create(MakePod(kFirstFreeSerial + i, ShapeAt(i % 64)), words_));
    }
  }

  FakeClock clock_;
  InstantApi api_;
  scheduler::Vocabulary words_;
  scheduler::QueueObserver observer_;
  scheduler::SchedulingQueue queue_{clock_, observer_, {}};
  std::vector<std::shared_ptr<const PendingPod>> pods_;
};

// AddAndPop adds and pops a pod while all other pods wait in the queue.
class AddAndPop final : public FilledQueue {
 public:
  explicit AddAndPop(size_t pods) : FilledQueue(pods) {}

  void Round(Meter& meter) override {
    const Measured measured(meter);
    for (const auto& pod : pods_) queue_.Add(pod);
    while (const auto queued = queue_.Pop()) queue_.Done(queued->pod->uid());
  }
};

// RejectedPods is a queue with pods that NodeResourcesFit rejected.
class RejectedPods : public FilledQueue {
 protected:
  explicit RejectedPods(size_t pods) : FilledQueue(pods) {}

  // Rejects all pods and moves them to where events find them, in their first or a further attempt.
  void Reject() {
    constexpr std::chrono::minutes kLongerThanAnyBackoff{1};
    for (const auto& pod : pods_) {
      if (!queue_.WhereIs(pod->uid())) queue_.Add(pod);
    }
    clock_.Advance(kLongerThanAnyBackoff);
    queue_.Flush();
    for (size_t i = 0; i < pods_.size(); ++i) {
      std::optional<QueuedPod> queued = queue_.Pop();
      BERTH_CHECK(queued.has_value(), "every pod is ready after its backoff");
      queued->unschedulable_plugins.Add(queued->profile->IndexOf("NodeResourcesFit").value());
      queue_.AddUnschedulableIfNotPresent(std::move(*queued));
    }
  }
};

enum class Helps { kNobody, kAll };

// WakeUnschedulable delivers one event to these pods; an operation is one pod. The queueing hint of
// each pod runs.
class WakeUnschedulable final : public RejectedPods {
 public:
  WakeUnschedulable(size_t pods, Helps helps) : RejectedPods(pods), helps_(helps) {
    constexpr int64_t kMoreThanThereIs = 16;
    event_.new_node = MakeNode(0);
    if (helps == Helps::kAll) return;
    auto tiny = std::make_shared<api::Node>(*event_.new_node);
    tiny->status.allocatable["cpu"] = Quantity::FromMilli(kMoreThanThereIs);
    event_.new_node = tiny;
  }

  void Round(Meter& meter) override {
    if (is_empty_) Reject();
    is_empty_ = helps_ == Helps::kAll;
    const Measured measured(meter);
    queue_.MoveAll(kNodeAdd, event_);
  }

 private:
  static constexpr ClusterEvent kNodeAdd{Resource::kNode, scheduler::action::kAdd, {}};

  Helps helps_;
  scheduler::EventObjects event_;
  bool is_empty_ = true;
};

// PassByUnschedulable delivers events that only another plugin registered for, for example events
// of placed pods while the waiting pods lack resources. An operation is one event.
class PassByUnschedulable final : public RejectedPods {
 public:
  explicit PassByUnschedulable(size_t pods) : RejectedPods(pods) { Reject(); }

  size_t Operations() const override { return kEvents; }

  void Round(Meter& meter) override {
    const Measured measured(meter);
    for (size_t i = 0; i < kEvents; ++i) queue_.MoveAll(kPodLabel, {});
  }

 private:
  static constexpr size_t kEvents = 100;
  static constexpr ClusterEvent kPodLabel{
      Resource::kAssignedPod, scheduler::action::kUpdatePodLabel, {}};
};

Case Wake(std::string_view name, size_t pods, Helps helps) {
  return {fmt::format("queue/{}/pods:{}", name, pods),
          [pods, helps] { return std::make_unique<WakeUnschedulable>(pods, helps); }};
}

}  // namespace

std::vector<Case> QueueCases(const Scale& scale) {
  const size_t pods = scale.queued_pods;
  return {{fmt::format("queue/add_and_pop/pods:{}", pods),
           [pods] { return std::make_unique<AddAndPop>(pods); }},
          {fmt::format("queue/event_of_another_plugin/pods:{}", pods),
           [pods] { return std::make_unique<PassByUnschedulable>(pods); }},
          Wake("event_helps_nobody", pods, Helps::kNobody),
          Wake("event_helps_all", pods, Helps::kAll)};
}

}  // namespace berth::bench
