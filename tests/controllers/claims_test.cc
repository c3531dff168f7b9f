// SPDX-License-Identifier: Apache-2.0
#include "controllers/claims.h"

#include <gtest/gtest.h>

#include "tests/controllers/profiles.h"

namespace berth::controllers {
namespace {

using crds::SchedulerProfile;

api::Condition ConditionOf(std::string_view type, const std::string& status,
                           const std::string& reason = "Because") {
  api::Condition condition;
  condition.type = std::string(type);
  condition.status = status;
  condition.reason = reason;
  condition.observed_generation = 1;
  return condition;
}

// Names plays the profiles of a cluster; `give` says what the scheduler of one was given.
class Names : public testing::Test {
 protected:
  SchedulerProfile& Add(const std::string& name, int age_seconds, std::string_view spec = "") {
    SchedulerProfile profile = MakeProfile(name, spec);
    profile.metadata.creation_timestamp = Time::FromUnixSeconds(1'767'225'600 - age_seconds);
    all_.push_back(std::make_shared<SchedulerProfile>(std::move(profile)));
    in_use_[name] = {};
    return *all_.back();
  }

  // Its scheduler runs the configuration of now.
  static void Run(SchedulerProfile& profile) {
    profile.status.observed_generation = profile.metadata.generation;
    profile.status.conditions = {ConditionOf(crds::kConditionAvailable, "True"),
                                 ConditionOf(crds::kConditionConfigApplied, "True")};
  }

  static void Stall(SchedulerProfile& profile, const std::string& reason) {
    profile.status.conditions = {ConditionOf(crds::kConditionStalled, "True", reason)};
  }

  NameDecision Decide(const SchedulerProfile& profile) {
    const Profiles all(all_.begin(), all_.end());
    const auto held = in_use_.find(profile.metadata.name);
    return DecideNames(profile,
                       held == in_use_.end() ? profile.status.scheduler.names : held->second, all,
                       in_use_);
  }

  // The decision as "served | awaited | taken", each "name" or "name<holder".
  std::string Decided(const SchedulerProfile& profile) {
    const NameDecision names = Decide(profile);
    std::string text;
    for (const std::string& name : names.served) text += name + " ";
    text += "|";
    for (const ClaimedName& name : names.awaited) text += " " + name.name + "<" + name.holder;
    text += " |";
    for (const ClaimedName& name : names.taken) text += " " + name.name + "<" + name.holder;
    return text;
  }

  std::vector<std::shared_ptr<SchedulerProfile>> all_;
  NamesInUse in_use_;
};

TEST_F(Names, AnAliasThatNobodyServesBelongsToTheOlder) {
  const auto& older = Add("old", 10, "{aliases: [shared]}");
  const auto& younger = Add("new", 0, "{aliases: [shared, own]}");
  EXPECT_EQ(Decided(older), "old shared | |");
  EXPECT_EQ(Decided(younger), "new own | | shared<old");
}

TEST_F(Names, OfOneSecondTheFirstByNameIsTheOlder) {
  const auto& a = Add("a", 0, "{aliases: [x]}");
  const auto& b = Add("b", 0, "{aliases: [x]}");
  EXPECT_EQ(Decided(a), "a x | |");
  EXPECT_EQ(Decided(b), "b | | x<a");
}

TEST_F(Names, AnAliasTakesNobodysOwnName) {
  const auto& older = Add("old", 10, "{aliases: [new]}");
  auto& younger = Add("new", 0);
  in_use_ = {{"old", {"old"}}, {"new", {"new"}}};
  EXPECT_EQ(Decided(older), "old | | new<new");
  EXPECT_EQ(Decided(younger), "new | |");
  Stall(younger, "ConfigRefused");  // it serves with its last good configuration
  EXPECT_EQ(Decided(older), "old | | new<new");
}

TEST_F(Names, WhoServesAnAliasKeepsIt) {
  const auto& a = Add("a", 10, "{aliases: [x]}");
  const auto& b = Add("b", 0, "{aliases: [x]}");
  in_use_ = {{"a", {"a"}}, {"b", {"b", "x"}}};
  EXPECT_EQ(Decided(a), "a | | x<b");
  EXPECT_EQ(Decided(b), "b x | |");
}

TEST_F(Names, TwoThatWereRestoredInOneSecondDoNotSwapANameThatIsServed) {
  auto& a = Add("a", 0, "{aliases: [x]}");
  auto& b = Add("b", 0, "{aliases: [x]}");
  in_use_ = {};  // the operator was started again as well
  a.status.scheduler.names = {"a"};
  b.status.scheduler.names = {"b", "x"};
  EXPECT_EQ(Decided(a), "a | | x<b");
  EXPECT_EQ(Decided(b), "b x | |");
}

TEST_F(Names, ANameIsAwaitedUntilItIsKnownWhatTheOthersServe) {
  const auto& a = Add("a", 10, "{aliases: [x]}");
  Add("b", 0, "{aliases: [x]}");
  in_use_.erase("b");
  EXPECT_EQ(Decided(a), "a | x<b |");
  in_use_["b"] = {"b"};
  EXPECT_EQ(Decided(a), "a x | |");
}

TEST_F(Names, AnOwnNameIsHandedOverOnceItsSchedulerRuns) {
  const auto& old = Add("old", 10, "{aliases: [new]}");
  auto& young = Add("new", 0);
  in_use_ = {{"old", {"old", "new"}}, {"new", {}}};
  EXPECT_EQ(Decided(old), "old new | |") << "nobody else could serve it yet";
  EXPECT_EQ(Decided(young), "| new<old |");
  Run(young);
  EXPECT_EQ(Decided(old), "old | | new<new");
  EXPECT_EQ(Decided(young), "| new<old |") << "not reported yet";
  in_use_["old"] = {"old"};
  EXPECT_EQ(Decided(young), "new | |");
  in_use_["new"] = {"new"};
  EXPECT_EQ(Decided(old), "old | | new<new");
}

TEST_F(Names, WhoServesANameKeepsItUntilItIsKnownWhatItsNewHolderServes) {
  const auto& old = Add("old", 10, "{aliases: [new]}");
  auto& young = Add("new", 0);
  in_use_ = {{"old", {"old", "new"}}};  // the operator has yet to look at the other
  EXPECT_EQ(Decided(old), "old new | |");
  young.status.scheduler.names = {"new"};
  EXPECT_EQ(Decided(old), "old | | new<new")
      << "it was handed over before the operator was started";
}

TEST_F(Names, WhatIsNotClaimedAnyMoreIsAwaitedUntilItIsGivenUp) {
  Add("old", 10);
  const auto& young = Add("new", 0, "{aliases: [x]}");
  in_use_["old"] = {"old", "x"};
  EXPECT_EQ(Decided(young), "new | x<old |");
  in_use_["old"] = {"old"};
  EXPECT_EQ(Decided(young), "new x | |");
}

TEST_F(Names, TheSchedulerOfADeletedProfileHasItsNamesUntilItIsGone) {
  const auto& a = Add("a", 10, "{aliases: [gone]}");
  in_use_["gone"] = {"gone"};
  EXPECT_EQ(Decided(a), "a | gone<gone |");
  in_use_.erase("gone");
  EXPECT_EQ(Decided(a), "a gone | |");
}

TEST_F(Names, OneThatCannotServeBlocksNoName) {
  const auto& young = Add("young", 0, "{aliases: [old, x]}");
  auto& old = Add("old", 10, "{aliases: [x]}");
  old.spec.suspend = true;
  EXPECT_EQ(Decided(young), "young old x | |");
  old.spec.suspend = false;
  for (const char* reason :
       {"InvalidSpec", "NotOwned", "EngineNotSupported", "NamespaceNotFound"}) {
    Stall(old, reason);
    EXPECT_EQ(Decided(young), "young old x | |") << reason;
  }
  old.status.conditions[0].observed_generation = 0;  // it was changed since
  EXPECT_EQ(Decided(young), "young | | old<old x<old");
  Stall(old, "NameTaken");  // of another name
  EXPECT_EQ(Decided(young), "young | | old<old x<old");
  old.metadata.deletion_timestamp = Time::FromUnixSeconds(1);
  EXPECT_EQ(Decided(young), "young old x | |");
}

TEST_F(Names, ASuspendedProfileHasItsNamesUntilItsPodsAreGoneAndComesBackLikeANewOne) {
  const auto& young = Add("young", 0, "{aliases: [old]}");
  auto& old = Add("old", 10);
  old.spec.suspend = true;
  in_use_["old"] = {"old"};
  EXPECT_EQ(Decided(young), "young | | old<old");
  in_use_["old"] = {};
  EXPECT_EQ(Decided(young), "young old | |");
  in_use_["young"] = {"young", "old"};
  EXPECT_EQ(Decided(old), "| | old<young");
  old.spec.suspend = false;
  EXPECT_EQ(Decided(old), "| old<young |");
  EXPECT_EQ(Decided(young), "young old | |");
  Run(old);
  EXPECT_EQ(Decided(young), "young | | old<old");
}

TEST_F(Names, SomebodyHoldsANameWhoServesItOrIsGoingTo) {
  auto& a = Add("a", 0, "{aliases: [x]}");
  const auto holder = [this](const std::string& name) {
    const auto* found = HolderOf(name, Profiles(all_.begin(), all_.end()), in_use_);
    return found ? found->metadata.name : "";
  };
  EXPECT_EQ(holder("x"), "a");
  EXPECT_EQ(holder("y"), "");
  a.spec.suspend = true;
  EXPECT_EQ(holder("x"), "");
}

TEST(ShareName, LooksAtNamesAndAliases) {
  EXPECT_TRUE(ShareName(MakeProfile("a", "{aliases: [b]}"), MakeProfile("b")));
  EXPECT_FALSE(ShareName(MakeProfile("a", "{aliases: [c]}"), MakeProfile("b")));
}

}  // namespace
}  // namespace berth::controllers
