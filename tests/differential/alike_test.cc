// SPDX-License-Identifier: Apache-2.0
#include "tests/differential/alike.h"

#include <gtest/gtest.h>

namespace berth::differential {
namespace {

const Scenario kTrain{.alike = {"train"}};

TEST(Alike, AreThePodsWithTheNameAndANumber) {
  EXPECT_TRUE(IsAlike("train-0", "train"));
  EXPECT_TRUE(IsAlike("train-12", "train"));
  EXPECT_FALSE(IsAlike("train", "train"));
  EXPECT_FALSE(IsAlike("train-a", "train"));
  EXPECT_FALSE(IsAlike("train-0-1", "train"));
  EXPECT_FALSE(IsAlike("other-train-0", "train"));
  EXPECT_FALSE(IsAlike("train-0#2", "train"));
}

TEST(Alike, PodsThatSwapTheirStatesAreEqual) {
  const auto with = [](const std::string& bound, const std::string& waits) {
    const Json event = {{"note", "Successfully assigned area-one/" + bound + " to n1"}};
    return Json{{"pods",
                 {{bound, {{"node", "n1"}, {"events", Json::array({event})}}},
                  {waits, {{"conditions", Json::object()}}},
                  {"other", {{"node", "n2"}}}}}};
  };
  const Json one = WithoutNumbers(with("train-0", "train-1"), kTrain);
  EXPECT_EQ(one, WithoutNumbers(with("train-1", "train-0"), kTrain));
  EXPECT_EQ(one["pods"]["other"], Json({{"node", "n2"}}));
  EXPECT_EQ(one["pods"].size(), 3U);
  EXPECT_NE(one.dump().find("area-one/train-* to n1"), std::string::npos);
  EXPECT_NE(with("train-0", "train-1"), with("train-1", "train-0"));
}

TEST(Alike, EventsOfFreeRepeatsBelongToAllOfThem) {
  const auto seen_by = [](const std::string& pod, const Json& notes) {
    Json all = {{"train-0", Json::object()}, {"train-1", Json::object()}};
    for (const Json& note : notes) all[pod]["events"].push_back({{"note", note}});
    return Json{{"pods", all}};
  };
  Scenario free = kTrain;
  free.repeats = Repeats::kFree;
  const Json one = WithoutNumbers(seen_by("train-0", {"full", "waits", "full"}), free);
  EXPECT_EQ(one, WithoutNumbers(seen_by("train-1", {"waits", "full"}), free));
  EXPECT_EQ(one["pods"]["train-*"]["events"],
            Json::parse(R"([{"note": "full"}, {"note": "waits"}])"));
  EXPECT_NE(one, WithoutNumbers(seen_by("train-1", {"full"}), free));
}

TEST(Alike, TextsOfOtherObjectsHaveNoNumbers) {
  const Json seen = {{"pods", Json::object()}, {"groups", {{"a", {{"message", "for train-3"}}}}}};
  EXPECT_EQ(WithoutNumbers(seen, kTrain)["groups"]["a"]["message"], "for train-*");
}

}  // namespace
}  // namespace berth::differential
