// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <initializer_list>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/fake_clock.h"
#include "scheduler/queue/scheduling_queue.h"
#include "tests/scheduler/scripted.h"
#include "tests/scheduler/testing/builders.h"
#include "tests/scheduler/testing/test_cluster.h"

namespace berth::scheduler::testing {

// Events for which the plugins of SchedulingQueueTest register, and one for which none does.
inline constexpr ClusterEvent kNodeAdd{Resource::kNode, action::kAdd, {}};
inline constexpr ClusterEvent kPodDelete{Resource::kAssignedPod, action::kDelete, {}};
inline constexpr ClusterEvent kNodeDelete{Resource::kNode, action::kDelete, {}};

// Incoming records the pods that enter a part of the queue.
class Incoming final : public QueueObserver {
 public:
  void OnQueueIncoming(QueueName queue, std::string_view event) override {
    seen.push_back(std::string(ToString(queue)) + " " + std::string(event));
  }
  std::vector<std::string> seen;
};

// SchedulingQueueTest moves pods through a queue manually. Its two rejecting plugins are "Scripted"
// and "Other".
class SchedulingQueueTest : public ::testing::Test {
 protected:
  SchedulingQueueTest() {
    script_.events = {{Resource::kNode, action::kAdd, "room"},
                      {Resource::kPod, action::kUpdatePodLabel, "labels"}};
    queue_.SetProfiles(
        {{"test", TestProfile({clock_, api_, words_}, "test", {&script_, &other_})}});
  }

  static PodBuilder Pod(const std::string& name) { return MakePod(name).Scheduler("test"); }
  void Add(const PodBuilder& pod) { queue_.Add(pod.Info(words_)); }
  std::string Pop() {
    auto queued = queue_.Pop();
    if (!queued) return "";
    popped_[queued->pod->name()] = *queued;
    return queued->pod->name();
  }
  // Requeues a popped pod, rejected by these plugins; without plugins, after an error.
  using Names = std::initializer_list<std::string_view>;
  void Return(const std::string& name, Names plugins, Names pending = {}) {
    QueuedPod queued = popped_.at(name);
    const auto indices = [&queued](Names names) {
      PluginIndexSet set;
      for (const std::string_view each : names) set.Add(queued.profile->IndexOf(each).value());
      return set;
    };
    queued.unschedulable_plugins = indices(plugins);
    queued.pending_plugins = indices(pending);
    queue_.AddUnschedulableIfNotPresent(std::move(queued));
  }
  void Reject(const std::string& name) {
    Add(Pod(name));
    ASSERT_EQ(Pop(), name);
    Return(name, {"Scripted"});
  }
  std::string Where(const std::string& name) const {
    const auto part = queue_.WhereIs("uid-" + name);
    return part ? std::string(ToString(*part)) : "nowhere";
  }
  void Pass(std::chrono::nanoseconds time) {
    clock_.Advance(time);
    queue_.Flush();
  }

  Vocabulary words_;
  FakeClock clock_;
  RecordingApi api_;
  Script script_;
  Script other_{.name = "Other", .events = {{Resource::kPod, action::kDelete, "room"}}};
  Incoming incoming_;
  SchedulingQueue queue_{clock_, incoming_, {}};
  std::map<std::string, QueuedPod> popped_;
};

}  // namespace berth::scheduler::testing
