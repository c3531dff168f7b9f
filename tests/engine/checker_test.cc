// SPDX-License-Identifier: Apache-2.0
#include "engine/checker.h"

#include <chrono>
#include <future>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <utility>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "scenario/self_check.h"
#include "tests/scheduler/world.h"

namespace berth::engine {
namespace {

using client::StoreKey;
using scheduler::PendingPod;
using scheduler::PermitResult;
using scheduler::Status;
using std::chrono::milliseconds;
using std::chrono::seconds;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;

StoreKey StoreKeyOf(const api::ObjectMeta& metadata) {
  return {metadata.namespace_, metadata.name};
}

// CheckedWorld has informer stores, which change before their events are delivered, and a checker.
class CheckedWorld : public scheduler::testing::World {
 protected:
  void RecordStored(const std::shared_ptr<const api::Pod>& pod) override {
    pod_store_.Put(StoreKeyOf(pod->metadata), std::make_shared<const KnownPod>(KnownPod::Of(pod)));
  }
  void RecordStored(const std::shared_ptr<const api::Node>& node) override {
    node_store_.Put(StoreKeyOf(node->metadata), node);
  }
  void RecordGone(const std::shared_ptr<const api::Pod>& pod) override {
    pod_store_.Remove(StoreKeyOf(pod->metadata));
  }
  void RecordGone(const std::shared_ptr<const api::Node>& node) override {
    node_store_.Remove(StoreKeyOf(node->metadata));
  }

  // Answers with the server's state at request time, which may be old when the answer arrives;
  // sometimes with an error.
  void Fetch(const StoreKey& key, const Checker::Fetched& done) {
    std::shared_ptr<const api::Pod> found;
    for (const auto& [uid, pod] : pods_) {
      if (StoreKeyOf(pod->metadata) == key) found = pod;
    }
    answers_.emplace_back([done, found] { done(found); });
  }

  void Walk(int steps) {
    script_.permit = [this](const PendingPod&) {
      return PermitResult{Chance(50) ? Status::Success() : Status::Wait(), seconds(5)};
    };
    for (int step = 0; step < steps; ++step) {
      Step();
      checker_.Step(clock_.Now());
    }
  }
  // Delivers all pending events and answers.
  void Arrive() {
    while (!events_.empty() || !answers_.empty()) {
      while (!events_.empty()) DeliverEvent();
      while (!answers_.empty()) DeliverAnswer();
    }
  }
  // Advances time; only the checker runs.
  void Rest(std::chrono::nanoseconds time) {
    constexpr milliseconds kStep{50};
    for (std::chrono::nanoseconds passed{}; passed < time; passed += kStep) {
      Pass(kStep);
      checker_.Step(clock_.Now());
      Arrive();
    }
  }
  std::vector<std::string> Differences() {
    return scenario::FindDifferences(scheduler_, Values(nodes_), Values(pods_));
  }

  client::AnyStore pod_store_, node_store_;
  std::map<std::string, int, std::less<>> repairs_;
  Checker checker_{
      {.scheduler = scheduler_,
       .pods = client::Store<KnownPod>(pod_store_),
       .nodes = client::Store<api::Node>(node_store_),
       .post = [this](Checker::Message message) { events_.push_back(std::move(message)); },
       .fetch = [this](const StoreKey& key, const Checker::Fetched& done) { Fetch(key, done); },
       .repaired = [this](std::string_view kind) { ++repairs_[std::string(kind)]; }}};
};

// ---- single objects

class CheckerTest : public CheckedWorld {
 protected:
  void Tell(std::function<void()> event) override {
    if (!is_deaf_) CheckedWorld::Tell(std::move(event));
  }
  void AddNode() {
    const auto node = Versioned(*Node("n").Uid("node-1").Build());
    nodes_["n"] = node;
    RecordStored(node);
    Tell([this, node] { scheduler_.On(api::Added(node)); });
    Arrive();
  }
  std::shared_ptr<const api::Pod> AddPod(const std::string& node = "") {
    auto pod = Pod("a").Uid("pod-a");
    if (!node.empty()) pod.OnNode(node);
    const auto made = Versioned(*pod.Build());
    Put(made);
    Arrive();
    return made;
  }

  bool is_deaf_ = false;  // drops all events
};

TEST_F(CheckerTest, QueuesAPodWithAMissedAddEvent) {
  is_deaf_ = true;
  AddPod();
  EXPECT_EQ(scheduler_.queue().WhereIs("pod-a"), std::nullopt);
  Rest(seconds(30));
  EXPECT_EQ(scheduler_.queue().WhereIs("pod-a"), scheduler::QueueName::kActive);
  EXPECT_THAT(repairs_, ElementsAre(Pair("pods", 1)));
}

TEST_F(CheckerTest, FetchesAndCountsAMissedAssignedPod) {
  AddNode();
  is_deaf_ = true;
  AddPod("n");
  EXPECT_EQ(Cpu("n"), 0);
  Rest(seconds(30));
  EXPECT_EQ(Cpu("n"), 1000);
  EXPECT_THAT(repairs_, ElementsAre(Pair("pods", 1)));
}

TEST_F(CheckerTest, RemovesADeletedPodFromQueueAndNode) {
  AddNode();
  AddPod();
  is_deaf_ = true;
  DeletePod();
  EXPECT_EQ(scheduler_.queue().WhereIs("pod-a"), scheduler::QueueName::kActive);
  Rest(seconds(30));
  EXPECT_EQ(scheduler_.queue().WhereIs("pod-a"), std::nullopt);

  is_deaf_ = false;
  AddPod("n");
  is_deaf_ = true;
  DeletePod();
  EXPECT_EQ(Cpu("n"), 1000);
  Rest(seconds(30));
  EXPECT_EQ(Cpu("n"), 0);
  EXPECT_THAT(repairs_, ElementsAre(Pair("pods", 2)));
}

TEST_F(CheckerTest, IgnoresAnAnswerOlderThanTheStore) {
  AddNode();
  is_deaf_ = true;
  AddPod("n");
  while (answers_.empty()) {
    Pass(milliseconds(50));
    checker_.Step(clock_.Now());
    while (!events_.empty()) DeliverEvent();
  }
  is_deaf_ = false;
  DeletePod();
  DeliverAnswer();  // from before the deletion
  Arrive();
  EXPECT_EQ(Cpu("n"), 0);
  EXPECT_THAT(repairs_, IsEmpty());
}

TEST_F(CheckerTest, RetriesAMissingAnswerInTheNextRound) {
  AddNode();
  is_deaf_ = true;
  AddPod("n");
  const auto pods = std::exchange(pods_, {});  // no answer arrives
  Rest(Checker::kRound + seconds(1));
  EXPECT_EQ(Cpu("n"), 0);
  pods_ = pods;
  Rest(Checker::kRound + seconds(1));
  EXPECT_EQ(Cpu("n"), 1000);
  EXPECT_THAT(repairs_, ElementsAre(Pair("pods", 1)));
}

TEST_F(CheckerTest, RepairsMissedNodeEvents) {
  is_deaf_ = true;
  AddNode();
  Rest(seconds(30));
  EXPECT_THAT(Differences(), IsEmpty());
  AddNode();  // another version
  Rest(seconds(30));
  EXPECT_THAT(Differences(), IsEmpty());
  DeleteNode();
  Rest(seconds(30));
  EXPECT_EQ(scheduler_.cache().node_count(), 0u);
  EXPECT_THAT(repairs_, ElementsAre(Pair("nodes", 3)));
}

TEST_F(CheckerTest, RepairedNodeWakesAFittingPod) {
  AddPod();
  Run();
  is_deaf_ = true;
  AddNode();
  Rest(seconds(30));
  Run();
  EXPECT_THAT(Bound(), ElementsAre("a to n"));
}

TEST_F(CheckerTest, IgnoresDelayedEvents) {
  const auto pod = Versioned(*Pod("a").Uid("pod-a").Build());
  Put(pod);
  for (int i = 0; i < 1000; ++i) {  // the event still waits
    Pass(milliseconds(100));
    checker_.Step(clock_.Now());
  }
  Arrive();
  EXPECT_THAT(repairs_, IsEmpty());
}

TEST_F(CheckerTest, RetriesABusyInformerAtOnce) {
  is_deaf_ = true;
  AddPod();
  std::promise<void> held, stepped;
  std::jthread informer([&] {
    const std::lock_guard lock(pod_store_.changes());
    held.set_value();
    stepped.get_future().wait();
  });
  held.get_future().wait();
  checker_.Step(clock_.Now());
  stepped.set_value();
  EXPECT_LE(checker_.NextStep() - clock_.Now(), milliseconds(1));
}

// ---- random walks

class CheckerProperty : public CheckedWorld, public ::testing::WithParamInterface<uint32_t> {};

TEST_P(CheckerProperty, RepairsNothingIfAllEventsArriveLate) {
  random_.seed(GetParam());
  script_.has_pre_bind = GetParam() % 2 == 0;
  Walk(4000);
  EXPECT_GT(clock_.elapsed(), 5 * Checker::kRound);
  EXPECT_GT(bound_.size(), 20u) << "too few pods were bound for a meaningful test";
  EXPECT_THAT(repairs_, IsEmpty());
}

INSTANTIATE_TEST_SUITE_P(Seeds, CheckerProperty, ::testing::Range(1u, 17u));

// LossyWalk drops one event.
class LossyWalk : public CheckedWorld {
 public:
  LossyWalk(uint32_t seed, int lost) : lost_(lost) { random_.seed(seed); }

  // Returns the number of repairs.
  int Check() {
    Walk(400);
    Arrive();
    Rest(seconds(30));
    EXPECT_THAT(Differences(), IsEmpty()) << "without event " << lost_;
    int repairs = 0;
    for (const auto& [kind, count] : repairs_) repairs += count;
    return repairs;
  }
  int told() const { return told_; }

 private:
  void TestBody() override {}
  void Tell(std::function<void()> event) override {
    if (told_++ != lost_) CheckedWorld::Tell(std::move(event));
  }

  const int lost_;
  int told_ = 0;
};

class LostEvents : public ::testing::TestWithParam<uint32_t> {};

TEST_P(LostEvents, AreRepairedWithinThirtySeconds) {
  LossyWalk whole(GetParam(), -1);
  EXPECT_EQ(whole.Check(), 0);
  int repaired = 0;
  for (int lost = 0; lost < whole.told(); ++lost) {
    const int repairs = LossyWalk(GetParam(), lost).Check();
    EXPECT_LE(repairs, 1) << lost;  // zero if a later event carried the same state
    repaired += repairs;
  }
  EXPECT_GT(repaired, whole.told() / 4);
}

INSTANTIATE_TEST_SUITE_P(Seeds, LostEvents, ::testing::Range(1u, 5u));

}  // namespace
}  // namespace berth::engine
