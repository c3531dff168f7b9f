// SPDX-License-Identifier: Apache-2.0
#include "tests/differential/groups.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace berth::differential {
namespace {

using ::testing::HasSubstr;
using ::testing::SizeIs;

const Defaults kGroupDefaults{"podgroup-one", "default-scheduler"};

Operation OnlyGroup(const std::string& written) {
  auto operations = CreateGroups(Json::parse(written), kGroupDefaults);
  EXPECT_TRUE(operations) << operations.error().message();
  EXPECT_THAT(*operations, SizeIs(1));
  return std::move(operations->at(0));
}

TEST(Groups, ExpandsAGang) {
  const Operation made = OnlyGroup(R"({"name": "train", "minCount": 3, "topology": "zone",
                                  "disruptionMode": "all", "priority": 10})");
  EXPECT_EQ(made.target, (ObjectName{"podgroup.scheduling.k8s.io", "podgroup-one", "train"}));
  EXPECT_EQ(made.body["apiVersion"], "scheduling.k8s.io/v1beta1");
  EXPECT_EQ(made.body["kind"], "PodGroup");
  EXPECT_EQ(made.body["spec"], Json::parse(R"({
    "schedulingPolicy": {"gang": {"minCount": 3}}, "priority": 10, "disruptionMode": {"all": {}},
    "schedulingConstraints": {"topology": [{"key": "zone"}]}})"));
}

TEST(Groups, AreBasicWithoutMinCount) {
  EXPECT_EQ(OnlyGroup(R"({"name": "train"})").body["spec"],
            Json::parse(R"({"schedulingPolicy": {"basic": {}}})"));
}

TEST(Groups, KeepFieldsOfTheApi) {
  const Operation made = OnlyGroup(R"({"name": "train", "namespace": "red",
    "schedulingPolicy": {"gang": {"minCount": 1}}, "disruptionMode": {"single": {}},
    "status": {"conditions": []}})");
  EXPECT_EQ(made.target.ns, "red");
  EXPECT_EQ(made.status, Json({{"conditions", Json::array()}}));
  EXPECT_EQ(made.body["spec"], Json::parse(R"({
    "schedulingPolicy": {"gang": {"minCount": 1}}, "disruptionMode": {"single": {}}})"));
}

TEST(Groups, RequireAName) {
  const auto made = CreateGroups(Json::parse(R"({"minCount": 1})"), kGroupDefaults);
  ASSERT_FALSE(made);
  EXPECT_THAT(made.error().message(), HasSubstr("name: is missing"));
}

TEST(Groups, NamesMayHaveANamespace) {
  EXPECT_EQ(GroupNamed("train", kGroupDefaults).ns, "podgroup-one");
  EXPECT_EQ(GroupNamed("red/train", kGroupDefaults).ns, "red");
}

}  // namespace
}  // namespace berth::differential
