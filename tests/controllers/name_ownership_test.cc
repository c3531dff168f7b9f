// SPDX-License-Identifier: Apache-2.0
#include "controllers/name_ownership.h"

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
    table_[name] = {};
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
    const auto held = table_.find(profile.metadata.name);
    return DecideNames(profile,
                       held == table_.end() ? profile.status.scheduler.names : held->second.in_use,
                       all, table_);
  }

  // The decision as "served | awaited | taken", each "name" or "name<holder".
  std::string Decided(const SchedulerProfile& profile) {
    const NameDecision names = Decide(profile);
    std::string text;
    for (const std::string& name : names.served) text += name + " ";
    text += "|";
    for (const NameConflict& name : names.awaited) text += " " + name.name + "<" + name.owner;
    text += " |";
    for (const NameConflict& name : names.taken) text += " " + name.name + "<" + name.owner;
    return text;
  }

  std::vector<std::shared_ptr<SchedulerProfile>> all_;
  NameTable table_;
};

TEST_F(Names, OlderProfileOwnsUnservedAlias) {
  const auto& older = Add("old", 10, "{aliases: [shared]}");
  const auto& younger = Add("new", 0, "{aliases: [shared, own]}");
  EXPECT_EQ(Decided(older), "old shared | |");
  EXPECT_EQ(Decided(younger), "new own | | shared<old");
}

TEST_F(Names, FirstNameOwnsAliasAtEqualCreationTime) {
  const auto& a = Add("a", 0, "{aliases: [x]}");
  const auto& b = Add("b", 0, "{aliases: [x]}");
  EXPECT_EQ(Decided(a), "a x | |");
  EXPECT_EQ(Decided(b), "b | | x<a");
}

TEST_F(Names, AliasDoesNotTakeAnotherProfilesName) {
  const auto& older = Add("old", 10, "{aliases: [new]}");
  auto& younger = Add("new", 0);
  table_ = {{"old", {{"old"}, {}}}, {"new", {{"new"}, {}}}};
  EXPECT_EQ(Decided(older), "old | | new<new");
  EXPECT_EQ(Decided(younger), "new | |");
  Stall(younger, "ConfigRefused");  // it serves its last good configuration
  EXPECT_EQ(Decided(older), "old | | new<new");
}

TEST_F(Names, ServingProfileKeepsAlias) {
  const auto& a = Add("a", 10, "{aliases: [x]}");
  const auto& b = Add("b", 0, "{aliases: [x]}");
  table_ = {{"a", {{"a"}, {}}}, {"b", {{"b", "x"}, {}}}};
  EXPECT_EQ(Decided(a), "a | | x<b");
  EXPECT_EQ(Decided(b), "b x | |");
}

TEST_F(Names, RestoredProfilesDoNotSwapServedName) {
  auto& a = Add("a", 0, "{aliases: [x]}");
  auto& b = Add("b", 0, "{aliases: [x]}");
  table_ = {};  // the operator was restarted, too
  a.status.scheduler.names = {"a"};
  b.status.scheduler.names = {"b", "x"};
  EXPECT_EQ(Decided(a), "a | | x<b");
  EXPECT_EQ(Decided(b), "b x | |");
}

TEST_F(Names, AwaitsNameUntilOtherProfilesArePlanned) {
  const auto& a = Add("a", 10, "{aliases: [x]}");
  Add("b", 0, "{aliases: [x]}");
  table_.erase("b");
  EXPECT_EQ(Decided(a), "a | x<b |");
  table_["b"] = {{"b"}, {}};
  EXPECT_EQ(Decided(a), "a x | |");
}

TEST_F(Names, HandsOverNameOnceNewSchedulerRuns) {
  const auto& old = Add("old", 10, "{aliases: [new]}");
  auto& young = Add("new", 0);
  table_ = {{"old", {{"old", "new"}, {}}}, {"new", {{}, {}}}};
  EXPECT_EQ(Decided(old), "old new | |") << "the new owner cannot serve it yet";
  EXPECT_EQ(Decided(young), "| new<old |");
  Run(young);
  EXPECT_EQ(Decided(old), "old | | new<new");
  EXPECT_EQ(Decided(young), "| new<old |") << "not reported yet";
  table_["old"] = {{"old"}, {}};
  EXPECT_EQ(Decided(young), "new | |");
  table_["new"] = {{"new"}, {}};
  EXPECT_EQ(Decided(old), "old | | new<new");
}

TEST_F(Names, KeepsNameUntilNewOwnerIsPlanned) {
  const auto& old = Add("old", 10, "{aliases: [new]}");
  auto& young = Add("new", 0);
  table_ = {{"old", {{"old", "new"}, {}}}};  // the other profile is not planned yet
  EXPECT_EQ(Decided(old), "old new | |");
  young.status.scheduler.names = {"new"};
  EXPECT_EQ(Decided(old), "old | | new<new") << "it was handed over before the operator started";
}

TEST_F(Names, AwaitsRemovedAliasUntilGivenUp) {
  Add("old", 10);
  const auto& young = Add("new", 0, "{aliases: [x]}");
  table_["old"] = {{"old", "x"}, {}};
  EXPECT_EQ(Decided(young), "new | x<old |");
  table_["old"] = {{"old"}, {}};
  EXPECT_EQ(Decided(young), "new x | |");
}

TEST_F(Names, DeletedProfileKeepsNamesUntilSchedulerIsGone) {
  const auto& a = Add("a", 10, "{aliases: [gone]}");
  table_["gone"] = {{"gone"}, {}};
  EXPECT_EQ(Decided(a), "a | gone<gone |");
  table_.erase("gone");
  EXPECT_EQ(Decided(a), "a gone | |");
}

TEST_F(Names, ProfileThatCannotServeBlocksNoName) {
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
  old.status.conditions[0].observed_generation = 0;  // it has changed since
  EXPECT_EQ(Decided(young), "young | | old<old x<old");
  Stall(old, "NameTaken");  // for another name
  EXPECT_EQ(Decided(young), "young | | old<old x<old");
  old.metadata.deletion_timestamp = Time::FromUnixSeconds(1);
  EXPECT_EQ(Decided(young), "young old x | |");
}

TEST_F(Names, SuspendedProfileKeepsNamesUntilPodsAreGone) {
  const auto& young = Add("young", 0, "{aliases: [old]}");
  auto& old = Add("old", 10);
  old.spec.suspend = true;
  table_["old"] = {{"old"}, {}};
  EXPECT_EQ(Decided(young), "young | | old<old");
  table_["old"] = {{}, {}};
  EXPECT_EQ(Decided(young), "young old | |");
  table_["young"] = {{"young", "old"}, {}};
  EXPECT_EQ(Decided(old), "| | old<young");
  old.spec.suspend = false;
  EXPECT_EQ(Decided(old), "| old<young |");
  EXPECT_EQ(Decided(young), "young old | |");
  Run(old);
  EXPECT_EQ(Decided(young), "young | | old<old");
}

TEST_F(Names, OwnerServesTheNameOrIsGoingTo) {
  auto& a = Add("a", 0, "{aliases: [x]}");
  const auto owner = [this](const std::string& name) {
    const auto* found = OwnerOf(name, Profiles(all_.begin(), all_.end()), table_);
    return found ? found->metadata.name : "";
  };
  EXPECT_EQ(owner("x"), "a");
  EXPECT_EQ(owner("y"), "");
  a.spec.suspend = true;
  EXPECT_EQ(owner("x"), "");
}

TEST(ShareName, LooksAtNamesAndAliases) {
  EXPECT_TRUE(ShareName(MakeProfile("a", "{aliases: [b]}"), MakeProfile("b")));
  EXPECT_FALSE(ShareName(MakeProfile("a", "{aliases: [c]}"), MakeProfile("b")));
}

}  // namespace
}  // namespace berth::controllers
