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

// CheckedWorld has informers' stores, which change before the event is told, and a checker.
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

  // Fetch answers with what the server has when it is asked, which may be long ago when the answer
  // comes, and now and then with nothing.
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
  // Arrive lets come whatever is on its way.
  void Arrive() {
    while (!events_.empty() || !answers_.empty()) {
      while (!events_.empty()) DeliverEvent();
      while (!answers_.empty()) DeliverAnswer();
    }
  }
  // Rest is a time in which nothing happens but the check.
  void Rest(std::chrono::nanoseconds time) {
    constexpr milliseconds kStep{50};
    for (std::chrono::nanoseconds passed{}; passed < time; passed += kStep) {
      Pass(kStep);
      checker_.Step(clock_.Now());
      Arrive();
    }
  }
  std::vector<std::string> Differences() {
    return scheduler_.CompareWith(Values(nodes_), Values(pods_));
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

// ---- one object

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

  bool is_deaf_ = false;  // no event is told
};

TEST_F(CheckerTest, APodThatWasNotHeardOfIsQueued) {
  is_deaf_ = true;
  AddPod();
  EXPECT_EQ(scheduler_.queue().WhereIs("pod-a"), std::nullopt);
  Rest(seconds(30));
  EXPECT_EQ(scheduler_.queue().WhereIs("pod-a"), scheduler::QueueName::kActive);
  EXPECT_THAT(repairs_, ElementsAre(Pair("pods", 1)));
}

TEST_F(CheckerTest, APodOnANodeThatWasNotHeardOfIsFetchedAndCounted) {
  AddNode();
  is_deaf_ = true;
  AddPod("n");
  EXPECT_EQ(Cpu("n"), 0);
  Rest(seconds(30));
  EXPECT_EQ(Cpu("n"), 1000);
  EXPECT_THAT(repairs_, ElementsAre(Pair("pods", 1)));
}

TEST_F(CheckerTest, APodThatIsGoneLeavesTheQueueAndItsNode) {
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

TEST_F(CheckerTest, AnAnswerThatIsOlderThanTheStoreIsNotTaken) {
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
  DeliverAnswer();  // of before the deletion
  Arrive();
  EXPECT_EQ(Cpu("n"), 0);
  EXPECT_THAT(repairs_, IsEmpty());
}

TEST_F(CheckerTest, AnAnswerThatDoesNotComeIsAskedForAgainInTheNextRound) {
  AddNode();
  is_deaf_ = true;
  AddPod("n");
  const auto pods = std::exchange(pods_, {});  // nobody answers
  Rest(Checker::kRound + seconds(1));
  EXPECT_EQ(Cpu("n"), 0);
  pods_ = pods;
  Rest(Checker::kRound + seconds(1));
  EXPECT_EQ(Cpu("n"), 1000);
  EXPECT_THAT(repairs_, ElementsAre(Pair("pods", 1)));
}

TEST_F(CheckerTest, ANodeThatCameChangedOrWentUnheardIsPutRight) {
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

TEST_F(CheckerTest, ANodeThatCameUnheardWakesThePodThatFitsIt) {
  AddPod();
  Run();
  is_deaf_ = true;
  AddNode();
  Rest(seconds(30));
  Run();
  EXPECT_THAT(Bound(), ElementsAre("a to n"));
}

TEST_F(CheckerTest, WhatIsOnItsWayIsNotTakenForMissing) {
  const auto pod = Versioned(*Pod("a").Uid("pod-a").Build());
  Put(pod);
  for (int i = 0; i < 1000; ++i) {  // the event still waits
    Pass(milliseconds(100));
    checker_.Step(clock_.Now());
  }
  Arrive();
  EXPECT_THAT(repairs_, IsEmpty());
}

TEST_F(CheckerTest, APieceIsLookedAtAgainAtOnceWhenTheInformerIsBusy) {
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

// ---- anything

class CheckerProperty : public CheckedWorld, public ::testing::WithParamInterface<uint32_t> {};

TEST_P(CheckerProperty, RepairsNothingWhereEverythingIsHeardHoweverLate) {
  random_.seed(GetParam());
  script_.has_pre_bind = GetParam() % 2 == 0;
  Walk(4000);
  EXPECT_GT(clock_.elapsed(), 5 * Checker::kRound);
  EXPECT_GT(bound_.size(), 20u) << "the world was too hard for the test to mean anything";
  EXPECT_THAT(repairs_, IsEmpty());
}

INSTANTIATE_TEST_SUITE_P(Seeds, CheckerProperty, ::testing::Range(1u, 17u));

// LossyWalk does not hear of one event.
class LossyWalk : public CheckedWorld {
 public:
  LossyWalk(uint32_t seed, int lost) : lost_(lost) { random_.seed(seed); }

  // Check says how many repairs it took.
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

TEST_P(LostEvents, EachIsMadeUpForWithinHalfAMinute) {
  LossyWalk whole(GetParam(), -1);
  EXPECT_EQ(whole.Check(), 0);
  int repaired = 0;
  for (int lost = 0; lost < whole.told(); ++lost) {
    const int repairs = LossyWalk(GetParam(), lost).Check();
    EXPECT_LE(repairs, 1) << lost;  // none: a later event told the same
    repaired += repairs;
  }
  EXPECT_GT(repaired, whole.told() / 4);
}

INSTANTIATE_TEST_SUITE_P(Seeds, LostEvents, ::testing::Range(1u, 5u));

}  // namespace
}  // namespace berth::engine
