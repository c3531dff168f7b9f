// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/fake_clock.h"
#include "scheduler/scheduler.h"
#include "tests/scheduler/scripted.h"
#include "tests/scheduler/testing/builders.h"
#include "tests/scheduler/testing/test_cluster.h"

namespace berth::scheduler::testing {

// Witness records the calls of the scheduler's observer.
class Witness final : public SchedulerObserver {
 public:
  void OnAttempt(AttemptResult result, std::string_view profile, Duration) override {
    attempts.push_back(std::string(profile) + " " + std::string(ToString(result)));
  }
  void OnPodScheduled(int32_t tries, Duration latency, bool) override {
    scheduled.emplace_back(tries, latency);
  }
  void OnPermitWait(Code result, Duration) override { permit_waits.push_back(result); }

  void OnEvictions(bool succeeded, Duration) override { evictions.push_back(succeeded); }

  std::vector<std::string> attempts;
  std::vector<std::pair<int32_t, Duration>> scheduled;
  std::vector<Code> permit_waits;
  std::vector<bool> evictions;
};

// LoopTest runs a Scheduler step by step: the test sends the events and answers the API calls.
class LoopTest : public ::testing::Test {
 protected:
  LoopTest() { Serve("test", {&script_}); }

  void Serve(const std::string& name, std::vector<Script*> scripts) {
    scheduler_.SetProfiles({{name, Profile(name, std::move(scripts))}});
  }
  std::shared_ptr<const scheduler::Profile> Profile(const std::string& name,
                                                    std::vector<Script*> scripts) {
    return TestProfile({clock_, api_, words_}, name, std::move(scripts),
                       {"NodeResourcesFit", "NodeAffinity", "NodeName", "SchedulingGates"});
  }
  static PodBuilder Pod(const std::string& name) {
    return MakePod(name).Scheduler("test").Requests("cpu=1");
  }
  static NodeBuilder Node(const std::string& name, const std::string& room = "cpu=4,pods=10") {
    return MakeNode(name).Allocatable(room);
  }
  // Makes attempts until no pod is ready. Returns their number.
  int Run() {
    int attempts = 0;
    while (scheduler_.ScheduleOne()) ++attempts;
    return attempts;
  }
  void Pass(std::chrono::nanoseconds time) {
    clock_.Advance(time);
    scheduler_.Tick();
  }
  // Answer completes a bind call; Confirm sends the event that shows the binding.
  void Answer(size_t i, Result<void> result = {}) { api_.binds.at(i).done(std::move(result)); }
  void Confirm(const PodBuilder& pod, const std::string& node) {
    scheduler_.On(api::Added(PodBuilder(pod).OnNode(node).Build()));
  }
  std::vector<std::string> Bound() const {
    std::vector<std::string> bound;
    for (const auto& call : api_.binds) bound.push_back(call.pod.name + " to " + call.node);
    return bound;
  }
  std::vector<std::string> Notes() const {
    std::vector<std::string> notes;
    for (const auto& [pod, event] : api_.events) notes.push_back(event.reason + ": " + event.note);
    return notes;
  }
  std::string Where(const std::string& name) const {
    const auto part = scheduler_.queue().WhereIs("uid-" + name);
    return part ? std::string(ToString(*part)) : "nowhere";
  }
  int64_t Cpu(const std::string& node) const {
    const Cache& cache = scheduler_.cache();
    return cache.Columns().requested(ResourceColumns::kMilliCpu, cache.Find(node));
  }
  void ExpectAtRest() const {
    EXPECT_EQ(scheduler_.queue().Statistics().in_flight_pods, 0u);
    EXPECT_EQ(scheduler_.queue().Statistics().in_flight_events, 0u);
    EXPECT_EQ(scheduler_.BindingsInFlight(), 0u);
  }

  Vocabulary words_;
  FakeClock clock_;
  RecordingApi api_;
  Witness witness_;
  Script script_;
  Scheduler scheduler_{clock_, api_, words_, witness_};
};

}  // namespace berth::scheduler::testing
