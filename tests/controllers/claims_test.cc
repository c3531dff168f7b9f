// SPDX-License-Identifier: Apache-2.0
#include "controllers/claims.h"

#include <gtest/gtest.h>

#include "tests/controllers/profiles.h"

namespace berth::controllers {
namespace {

std::shared_ptr<const crds::SchedulerProfile> Shared(const std::string& name, int age_seconds,
                                                     std::string_view spec = "") {
  crds::SchedulerProfile profile = MakeProfile(name, spec);
  profile.metadata.creation_timestamp = Time::FromUnixSeconds(1'767'225'600 - age_seconds);
  return std::make_shared<const crds::SchedulerProfile>(std::move(profile));
}

TEST(TakenNames, GivesAnAliasToTheOlderProfile) {
  const auto older = Shared("old", 10, "{aliases: [shared]}");
  const auto younger = Shared("new", 0, "{aliases: [shared, own]}");
  const std::vector all = {older, younger};
  EXPECT_TRUE(TakenNames(*older, all).empty());
  const auto taken = TakenNames(*younger, all);
  ASSERT_EQ(taken.size(), 1u);
  EXPECT_EQ(taken[0].name, "shared");
  EXPECT_EQ(taken[0].holder, "old");
}

TEST(TakenNames, LetsAnAliasTakeTheNameOfAYoungerProfile) {
  const auto older = Shared("old", 10, "{aliases: [new]}");
  const auto younger = Shared("new", 0);
  const std::vector all = {older, younger};
  ASSERT_EQ(TakenNames(*younger, all).size(), 1u);
  EXPECT_EQ(TakenNames(*younger, all)[0].name, "new");
}

TEST(TakenNames, DecidesByNameWhenBothAreOfOneSecond) {
  const auto a = Shared("a", 0, "{aliases: [x]}");
  const auto b = Shared("b", 0, "{aliases: [x]}");
  const std::vector all = {a, b};
  EXPECT_TRUE(TakenNames(*a, all).empty());
  EXPECT_EQ(TakenNames(*b, all).size(), 1u);
}

TEST(ShareName, LooksAtNamesAndAliases) {
  EXPECT_TRUE(ShareName(*Shared("a", 0, "{aliases: [b]}"), *Shared("b", 0)));
  EXPECT_FALSE(ShareName(*Shared("a", 0, "{aliases: [c]}"), *Shared("b", 0)));
}

}  // namespace
}  // namespace berth::controllers
