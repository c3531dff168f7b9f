// SPDX-License-Identifier: Apache-2.0
#include <stdexcept>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "scheduler/framework/profile.h"
#include "tests/scheduler/framework/scripted_plugin.h"

namespace berth::scheduler {
namespace {

using std::chrono::minutes;
using std::chrono::seconds;
using testing::Cycle;
using ::testing::ElementsAre;
using testing::Everything;
using testing::IndexesOf;
using ::testing::IsEmpty;
using testing::MakeNode;
using testing::MakePod;
using testing::MakeProfile;
using ::testing::Pair;
using testing::Scripted;
using testing::TestCluster;
using testing::Text;
using testing::WithBasics;

class ProfileBindTest : public ::testing::Test {
 protected:
  ProfileBindTest() {
    cluster_.Add(MakeNode("n"));
    node_ = NodeRef(cluster_.cache().At(cluster_.SlotOf("n")));
  }

  PluginDescriptor Reserving(std::string_view name, Status answer) {
    return Scripted(name, {.reserve =
                               [this, name, answer](const std::string& node) {
                                 called_.push_back(std::string(name) + " " + node);
                                 return answer;
                               },
                           .unreserve =
                               [this, name](const std::string&) {
                                 called_.push_back("undo " + std::string(name));
                               }});
  }
  PluginDescriptor Permitting(std::string_view name, PermitResult answer) {
    return Scripted(name, {.permit = [this, name, answer](const std::string&) {
                      called_.emplace_back(name);
                      return answer;
                    }});
  }
  // Returns a plugin that stores its callback until the test calls it.
  enum class Group { kUnique, kParallel };
  PluginDescriptor PreBinding(std::string_view name, Group group = Group::kUnique,
                              Status flight = Status::Success()) {
    return Scripted(name, {.pre_flight = [flight](const std::string&) { return flight; },
                           .allow_parallel = group == Group::kParallel,
                           .pre_bind =
                               [this, name](const std::stop_token& canceled, StatusDone done) {
                                 called_.emplace_back(name);
                                 canceled_ = canceled;
                                 pending_.push_back(std::move(done));
                               }});
  }
  // Runs RunPreBind after the preflight, like a binding cycle.
  void RunPreBind(const Profile& profile) {
    profile.RunPreBind(cycle_.context(), node_,
                       profile.RunPreBindPreFlight(cycle_.context(), node_), cancellation_, Keep());
  }
  PluginDescriptor Binding(std::string_view name, Status answer) {
    return Scripted(name, {.bind = [this, name, answer](const StatusDone& done) {
                      called_.emplace_back(name);
                      done(answer);
                    }});
  }
  StatusDone Keep() {
    return [this](Status status) { answers_.push_back(Text(status)); };
  }

  TestCluster cluster_;
  Cycle cycle_{cluster_, MakePod("p")};
  NodeRef node_;
  std::vector<std::string> called_;
  std::vector<StatusDone> pending_;
  std::stop_token canceled_;  // of the last PreBind
  Cancellation cancellation_;
  std::vector<std::string> answers_;
};

TEST_F(ProfileBindTest, ReserveStopsAtFailureAndUnreserveRunsInReverse) {
  const auto profile = MakeProfile(
      cluster_, {Reserving("A", Status::Success()), Reserving("B", Status::Unschedulable("taken")),
                 Reserving("C", Status::Success())});
  const Status status = profile->RunReserve(cycle_.context(), node_);
  EXPECT_EQ(status, (Status{Code::kUnschedulable, {"taken"}, "B"}));
  profile->RunUnreserve(cycle_.context(), node_);
  EXPECT_THAT(called_, ElementsAre("A n", "B n", "undo C", "undo B", "undo A"));
}

TEST_F(ProfileBindTest, ReserveErrorsNameThePlugin) {
  const auto profile = MakeProfile(cluster_, {Reserving("A", Status::Failed("lost"))});
  EXPECT_EQ(Text(profile->RunReserve(cycle_.context(), node_)),
            "Error: running Reserve plugin \"A\": lost");
}

TEST_F(ProfileBindTest, UnreserveContinuesAfterAnException) {
  const auto profile = MakeProfile(
      cluster_,
      {Reserving("A", Status::Success()),
       Scripted("B", {.reserve = [](const std::string&) { return Status::Success(); },
                      .unreserve = [](const std::string&) { throw std::runtime_error("boom"); }})});
  profile->RunUnreserve(cycle_.context(), node_);
  EXPECT_THAT(called_, ElementsAre("undo A"));
}

TEST_F(ProfileBindTest, PermitCollectsWaitsAndCapsThem) {
  const auto profile = MakeProfile(cluster_, {Permitting("A", {Status::Wait(), seconds(10)}),
                                              Permitting("B", {Status::Success(), {}}),
                                              Permitting("C", {Status::Wait(), minutes(60)})});
  const auto outcome = profile->RunPermit(cycle_.context(), node_);
  EXPECT_EQ(outcome.status.code, Code::kWait);
  EXPECT_THAT(outcome.waits, ElementsAre(Pair("A", seconds(10)), Pair("C", minutes(15))));
}

TEST_F(ProfileBindTest, PermitStopsAtARejectionOrError) {
  auto profile = MakeProfile(cluster_, {Permitting("A", {Status::Wait(), seconds(1)}),
                                        Permitting("B", {Status::Unschedulable("denied"), {}}),
                                        Permitting("C", {Status::Success(), {}})});
  auto outcome = profile->RunPermit(cycle_.context(), node_);
  EXPECT_EQ(outcome.status, (Status{Code::kUnschedulable, {"denied"}, "B"}));
  EXPECT_THAT(outcome.waits, IsEmpty());
  EXPECT_THAT(called_, ElementsAre("A", "B"));
  profile = MakeProfile(cluster_, {Permitting("A", {Status::Failed("lost"), {}})});
  EXPECT_EQ(Text(profile->RunPermit(cycle_.context(), node_).status),
            "Error: running Permit plugin \"A\": lost");
}

TEST_F(ProfileBindTest, PreFlightReportsWhetherThereIsWork) {
  const auto flight = [](std::string_view name, Status answer) {
    return Scripted(name, {.pre_flight = [answer](const std::string&) { return answer; },
                           .pre_bind = [](const std::stop_token&,
                                          const StatusDone& done) { done(Status::Success()); }});
  };
  auto profile = MakeProfile(cluster_, {flight("A", Status::Skip()), flight("B", Status::Skip())});
  auto outcome = profile->RunPreBindPreFlight(cycle_.context(), node_);
  EXPECT_EQ(outcome.status.code, Code::kSkip);
  EXPECT_THAT(profile->NamesOf(outcome.skipped), ElementsAre("A", "B"));
  profile = MakeProfile(cluster_, {flight("A", Status::Skip()), flight("B", Status::Success())});
  outcome = profile->RunPreBindPreFlight(cycle_.context(), node_);
  EXPECT_TRUE(outcome.status.ok());
  EXPECT_THAT(profile->NamesOf(outcome.skipped), ElementsAre("A"));
  outcome = MakeProfile(cluster_, {flight("A", Status::Failed("lost"))})
                ->RunPreBindPreFlight(cycle_.context(), node_);
  EXPECT_EQ(Text(outcome.status), "Error: running PreBindPreFlight \"A\": lost");
  outcome = MakeProfile(cluster_, {flight("A", Status::Unschedulable("x"))})
                ->RunPreBindPreFlight(cycle_.context(), node_);
  EXPECT_EQ(Text(outcome.status),
            "Error: PreBindPreFlight A returned \"Unschedulable\", which is unsupported. It is "
            "supposed to return Success, Skip, or Error status");
}

TEST_F(ProfileBindTest, PreBindRunsSequentially) {
  const auto profile = MakeProfile(
      cluster_,
      {PreBinding("A"), PreBinding("B", Group::kUnique, Status::Skip()), PreBinding("C")});
  RunPreBind(*profile);
  EXPECT_THAT(called_, ElementsAre("A"));
  pending_[0](Status::Success());
  EXPECT_THAT(called_, ElementsAre("A", "C"));
  EXPECT_THAT(answers_, IsEmpty());
  pending_[1](Status::Success());
  pending_[1](Status::Success());  // a second result is ignored
  EXPECT_THAT(answers_, ElementsAre("Success"));
}

TEST_F(ProfileBindTest, PreBindStopsAtTheFirstFailure) {
  const auto profile = MakeProfile(cluster_, {PreBinding("A"), PreBinding("B")});
  RunPreBind(*profile);
  pending_[0](Status::Failed("lost"));
  EXPECT_THAT(called_, ElementsAre("A"));
  EXPECT_THAT(answers_, ElementsAre("Error: running PreBind plugin \"A\": lost"));
}

TEST_F(ProfileBindTest, PreBindRunsAllowedNeighborsInParallel) {
  const auto profile = MakeProfile(
      cluster_,
      {PreBinding("A", Group::kParallel), PreBinding("B", Group::kParallel, Status::Skip()),
       PreBinding("C", Group::kParallel), PreBinding("D"), PreBinding("E", Group::kParallel),
       PreBinding("F", Group::kUnique, Status::Skip()), PreBinding("G", Group::kParallel)});
  RunPreBind(*profile);
  EXPECT_THAT(called_, ElementsAre("A", "C")) << "a skipped plugin does not split the group";
  pending_[1](Status::Success());
  EXPECT_THAT(called_, ElementsAre("A", "C")) << "the group ends with its last answer";
  pending_[0](Status::Success());
  EXPECT_THAT(called_, ElementsAre("A", "C", "D"));
  pending_[2](Status::Success());
  EXPECT_THAT(called_, ElementsAre("A", "C", "D", "E"))
      << "a plugin without parallel runs splits the group, even if it skips";
  pending_[3](Status::Success());
  EXPECT_THAT(called_, ElementsAre("A", "C", "D", "E", "G"));
  pending_[4](Status::Success());
  EXPECT_THAT(answers_, ElementsAre("Success"));
}

TEST_F(ProfileBindTest, FirstPreBindFailureCancelsItsGroup) {
  const auto profile = MakeProfile(cluster_, {PreBinding("A", Group::kParallel),
                                              PreBinding("B", Group::kParallel), PreBinding("C")});
  RunPreBind(*profile);
  EXPECT_FALSE(canceled_.stop_requested());
  pending_[0](Status::Unschedulable("elsewhere"));
  EXPECT_TRUE(canceled_.stop_requested());
  EXPECT_THAT(answers_, IsEmpty()) << "running plugins are waited for";
  pending_[1](Status::Failed("context canceled"));
  EXPECT_THAT(answers_, ElementsAre("Unschedulable: elsewhere"));
  EXPECT_THAT(called_, ElementsAre("A", "B"));
}

TEST_F(ProfileBindTest, ImmediateFailureStartsNoFurtherPreBindOfTheGroup) {
  const auto failing = Scripted(
      "A", {.allow_parallel = true, .pre_bind = [](const std::stop_token&, const StatusDone&) {
              throw std::runtime_error("boom");
            }});
  RunPreBind(*MakeProfile(cluster_, {failing, PreBinding("B", Group::kParallel)}));
  EXPECT_THAT(called_, IsEmpty());
  EXPECT_THAT(answers_,
              ElementsAre("Error: running PreBind plugin \"A\": threw an exception: boom"));
}

TEST_F(ProfileBindTest, CanceledPreBindFailsWithTheCause) {
  const auto profile = MakeProfile(cluster_, {PreBinding("A"), PreBinding("B")});
  RunPreBind(*profile);
  const std::stop_callback listening(canceled_, [this] { pending_[0](Status::Failed("stopped")); });
  cancellation_.Request("preempted by DefaultPreemption");
  EXPECT_THAT(answers_, ElementsAre("Error: running PreBind plugin \"A\": preempted by "
                                    "DefaultPreemption"));
  EXPECT_THAT(called_, ElementsAre("A"));
}

TEST_F(ProfileBindTest, CancellationStartsNoFurtherPreBind) {
  const auto profile = MakeProfile(cluster_, {PreBinding("A"), PreBinding("B")});
  RunPreBind(*profile);
  cancellation_.Request("preempted by DefaultPreemption");
  EXPECT_THAT(answers_, IsEmpty());
  pending_[0](Status::Success());
  EXPECT_THAT(answers_, ElementsAre("Error: running PreBind plugin \"B\": preempted by "
                                    "DefaultPreemption"));
  EXPECT_THAT(called_, ElementsAre("A"));
}

TEST_F(ProfileBindTest, BindCallsPluginsUntilOneDoesNotSkip) {
  const auto profile =
      MakeProfile(cluster_, {Binding("A", Status::Skip()), Binding("B", Status::Success()),
                             Binding("C", Status::Success())});
  profile->RunBind(cycle_.context(), node_, Keep());
  EXPECT_THAT(called_, ElementsAre("A", "B"));
  EXPECT_THAT(answers_, ElementsAre("Success"));
}

TEST_F(ProfileBindTest, BindErrorsNameThePluginAndAllSkippingIsSkip) {
  MakeProfile(cluster_, {Binding("A", Status::Failed("conflict"))})
      ->RunBind(cycle_.context(), node_, Keep());
  MakeProfile(
      cluster_,
      {Scripted("A", {.bind = [](const StatusDone&) { throw std::runtime_error("boom"); }})})
      ->RunBind(cycle_.context(), node_, Keep());
  const Registry skipping(
      {Scripted("Sort", {.less = [](const auto&, const auto&) { return false; }}),
       Binding("A", Status::Skip())});
  (*Profile::Create(Everything(skipping), 0, skipping, cluster_.handle()))
      ->RunBind(cycle_.context(), node_, Keep());
  EXPECT_THAT(answers_,
              ElementsAre("Error: running Bind plugin \"A\": conflict",
                          "Error: running Bind plugin \"A\": threw an exception: boom", "Skip"));
}

TEST_F(ProfileBindTest, PostBindCallsEveryPlugin) {
  const auto plugin = [&](std::string_view name) {
    return Scripted(name, {.post_bind = [this, name](const std::string& node) {
                      called_.push_back(std::string(name) + " " + node);
                      if (name == "A") throw std::runtime_error("boom");
                    }});
  };
  MakeProfile(cluster_, {plugin("A"), plugin("B")})->RunPostBind(cycle_.context(), node_);
  EXPECT_THAT(called_, ElementsAre("A n", "B n"));
}

}  // namespace
}  // namespace berth::scheduler
