// SPDX-License-Identifier: Apache-2.0
#include "scheduler/waiting_pods.h"

#include <gtest/gtest.h>

#include "tests/scheduler/testing/builders.h"

namespace berth::scheduler {
namespace {

using std::chrono::seconds;
using testing::MakePod;

class WaitingPodsTest : public ::testing::Test {
 protected:
  void Add(const std::string& name, const WaitingPods::Waits& waits) {
    waiting_.Add(MakePod(name).Info(words_), waits, now_, [this, name](Status status) {
      EXPECT_FALSE(ended_.contains(name)) << "each wait ends once";
      ended_[name] = std::move(status);
    });
  }

  Vocabulary words_;
  WaitingPods waiting_;
  SteadyTime now_{seconds(100)};
  std::map<std::string, Status> ended_;
};

TEST_F(WaitingPodsTest, EndsWhenAllPluginsAllowed) {
  Add("a", {{"One", seconds(10)}, {"Two", seconds(20)}});
  EXPECT_TRUE(waiting_.Allow("uid-a", "One"));
  EXPECT_FALSE(waiting_.Allow("uid-a", "One"));
  EXPECT_TRUE(ended_.empty());
  EXPECT_TRUE(waiting_.Allow("uid-a", "Two"));
  EXPECT_TRUE(ended_.at("a").ok());
  EXPECT_FALSE(waiting_.Allow("uid-a", "Two"));
  EXPECT_EQ(waiting_.size(), 0u);
}

TEST_F(WaitingPodsTest, OneRejectionEndsTheWait) {
  Add("a", {{"One", seconds(10)}, {"Two", seconds(20)}});
  EXPECT_TRUE(waiting_.Reject("uid-a", "Two", "no"));
  EXPECT_EQ(ended_.at("a").code, Code::kUnschedulable);
  EXPECT_EQ(ended_.at("a").plugin, "Two");
  EXPECT_EQ(ended_.at("a").Message(), "no");
  EXPECT_FALSE(waiting_.Reject("uid-a", "Two", "no"));
}

TEST_F(WaitingPodsTest, EarliestDeadlineRejects) {
  Add("a", {{"Late", seconds(90)}, {"Early", seconds(10)}});
  Add("b", {{"Late", seconds(90)}});
  EXPECT_EQ(waiting_.NextDeadline(), now_ + seconds(10));
  waiting_.Expire(now_ + seconds(9));
  EXPECT_TRUE(ended_.empty());
  waiting_.Expire(now_ + seconds(10));
  EXPECT_EQ(ended_.at("a").Message(), "rejected due to timeout after waiting 10s at plugin Early");
  EXPECT_EQ(ended_.at("a").plugin, "Early");
  EXPECT_TRUE(waiting_.Has("uid-b"));
  EXPECT_EQ(waiting_.NextDeadline(), now_ + seconds(90));
}

TEST_F(WaitingPodsTest, PreemptionIsAnErrorAndNotARejection) {
  Add("a", {{"One", seconds(10)}});
  EXPECT_TRUE(waiting_.Preempt("uid-a", "Taker", "preempted"));
  EXPECT_EQ(ended_.at("a").code, Code::kError);
  EXPECT_EQ(ended_.at("a").plugin, "Taker");
  EXPECT_EQ(ended_.at("a").Message(), "preempted");
  EXPECT_EQ(waiting_.NextDeadline(), std::nullopt) << "its deadline is removed, too";
}

TEST_F(WaitingPodsTest, FirstSignalWins) {
  Add("a", {{"One", seconds(10)}});
  EXPECT_TRUE(waiting_.Reject("uid-a", "One", "no"));
  EXPECT_FALSE(waiting_.Preempt("uid-a", "Taker", "preempted"));
  EXPECT_FALSE(waiting_.Allow("uid-a", "One"));
  EXPECT_EQ(ended_.at("a").Message(), "no");
  Add("b", {{"One", seconds(10)}});
  EXPECT_TRUE(waiting_.Allow("uid-b", "One"));
  EXPECT_FALSE(waiting_.Reject("uid-b", "One", "no"));
  EXPECT_FALSE(waiting_.Preempt("uid-b", "Taker", "preempted"));
  EXPECT_TRUE(ended_.at("b").ok());
}

TEST_F(WaitingPodsTest, DeadlinesExpireInOrderOfTime) {
  Add("c", {{"One", seconds(30)}});
  Add("b", {{"One", seconds(10)}, {"Two", seconds(20)}});
  Add("a", {{"One", seconds(20)}});
  EXPECT_EQ(waiting_.NextDeadline(), now_ + seconds(10));
  EXPECT_TRUE(waiting_.Allow("uid-b", "One"));
  EXPECT_EQ(waiting_.NextDeadline(), now_ + seconds(20));
  waiting_.Expire(now_ + seconds(25));
  EXPECT_EQ(ended_.at("b").plugin, "Two");
  EXPECT_TRUE(ended_.contains("a"));
  EXPECT_FALSE(ended_.contains("c"));
  EXPECT_EQ(waiting_.NextDeadline(), now_ + seconds(30));
}

TEST_F(WaitingPodsTest, CallbackMayAddTheSamePodAgain) {
  int ends = 0;
  const auto pod = MakePod("a").Info(words_);
  waiting_.Add(pod, {{"One", seconds(10)}}, now_, [&](const Status&) {
    ++ends;
    waiting_.Add(pod, {{"One", seconds(10)}}, now_ + seconds(10), [&](const Status&) { ++ends; });
  });
  waiting_.Expire(now_ + seconds(10));
  EXPECT_EQ(ends, 1);
  EXPECT_EQ(waiting_.NextDeadline(), now_ + seconds(20));
}

TEST_F(WaitingPodsTest, DeadlineOfAnAllowingPluginIsRemoved) {
  Add("a", {{"Early", seconds(10)}, {"Late", seconds(90)}});
  waiting_.Allow("uid-a", "Early");
  waiting_.Expire(now_ + seconds(10));
  EXPECT_TRUE(ended_.empty());
}

}  // namespace
}  // namespace berth::scheduler
