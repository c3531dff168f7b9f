// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "scheduler/plugins/node_resources_fit.h"
#include "tests/scheduler/testing/test_cluster.h"

namespace berth::scheduler {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::vector<std::string> FitErrors(std::string args) {
  std::vector<std::string> texts;
  for (const api::FieldError& error : NodeResourcesFit::Descriptor().check({std::move(args)})) {
    texts.push_back(error.ToString());
  }
  return texts;
}

std::string Strategy(const std::string& content) {
  return R"({"scoringStrategy":{)" + content + "}}";
}

std::string Shape(const std::string& points) {
  return Strategy(R"("type":"RequestedToCapacityRatio","requestedToCapacityRatio":{"shape":)" +
                  points + "}");
}

TEST(NodeResourcesFitArgs, AcceptsValidArgs) {
  EXPECT_THAT(FitErrors(""), IsEmpty());
  EXPECT_THAT(FitErrors("{}"), IsEmpty());
  EXPECT_THAT(FitErrors(R"({"apiVersion":"kubescheduler.config.k8s.io/v1",
                           "kind":"NodeResourcesFitArgs","ignoredResources":["example.com/a"],
                           "ignoredResourceGroups":["example.com"]})"),
              IsEmpty());
  EXPECT_THAT(FitErrors(Strategy(R"("type":"MostAllocated","resources":[{"name":"cpu"},
                                   {"name":"memory","weight":0},{"name":"a/b","weight":100}])")),
              IsEmpty());
  EXPECT_THAT(FitErrors(Shape(R"([{"utilization":0,"score":10},{"utilization":100,"score":0}])")),
              IsEmpty());
}

TEST(NodeResourcesFitArgs, RejectsInvalidNames) {
  EXPECT_THAT(FitErrors(R"({"ignoredResources":["ok","-bad"]})"),
              ElementsAre(HasSubstr("ignoredResources[1]: Invalid value: \"-bad\": ")));
  EXPECT_THAT(FitErrors(R"({"ignoredResourceGroups":["example.com/gpu"]})"),
              ElementsAre("ignoredResourceGroups[0]: Invalid value: \"example.com/gpu\": resource "
                          "group name can't contain '/'"));
}

TEST(NodeResourcesFitArgs, RejectsInvalidStrategies) {
  EXPECT_THAT(FitErrors(Strategy(R"("type":"Least")")),
              ElementsAre("scoringStrategy.type: Unsupported value: \"Least\": supported values: "
                          "\"LeastAllocated\", \"MostAllocated\", \"RequestedToCapacityRatio\""));
  EXPECT_THAT(FitErrors(Strategy(R"("resources":[{"name":"cpu"}])")),
              ElementsAre(HasSubstr("scoringStrategy.type: Unsupported value: \"\"")));
  EXPECT_THAT(
      FitErrors(Strategy(
          R"("type":"LeastAllocated","resources":[{"name":"cpu","weight":101},{"name":"memory","weight":-1}])")),
      ElementsAre("scoringStrategy.resources[0].weight: Invalid value: 101: resource weight of cpu "
                  "not in valid range (0, 100]",
                  "scoringStrategy.resources[1].weight: Invalid value: -1: resource weight of "
                  "memory not in valid range (0, 100]"));
  EXPECT_THAT(FitErrors(Strategy(R"("type":"RequestedToCapacityRatio")")),
              ElementsAre("scoringStrategy.requestedToCapacityRatio: Required value: must be "
                          "specified when type is RequestedToCapacityRatio"));
  EXPECT_THAT(
      FitErrors(Strategy(
          R"("type":"MostAllocated","requestedToCapacityRatio":{"shape":[{"utilization":0,"score":0}]})")),
      ElementsAre("scoringStrategy.requestedToCapacityRatio: Forbidden: must be nil when type is "
                  "not RequestedToCapacityRatio"));
}

TEST(NodeResourcesFitArgs, RejectsInvalidShapes) {
  const std::string path = "scoringStrategy.requestedToCapacityRatio.shape";
  EXPECT_THAT(FitErrors(Shape("[]")),
              ElementsAre(path + ": Required value: at least one point must be specified"));
  EXPECT_THAT(FitErrors(Shape(R"([{"utilization":50,"score":0},{"utilization":50,"score":1}])")),
              ElementsAre(path + "[1].utilization: Invalid value: 50: values must be sorted in "
                                 "increasing order"));
  EXPECT_THAT(FitErrors(Shape(R"([{"utilization":-1,"score":11},{"utilization":101,"score":-1}])")),
              ElementsAre(path + "[0].utilization: Invalid value: -1: not in valid range [0, 100]",
                          path + "[0].score: Invalid value: 11: not in valid range [0, 10]",
                          path + "[1].utilization: Invalid value: 101: not in valid range [0, 100]",
                          path + "[1].score: Invalid value: -1: not in valid range [0, 10]"));
}

TEST(NodeResourcesFitArgs, RejectsUnknownFields) {
  EXPECT_THAT(FitErrors(R"({"scoringStrategi":{}})"), ElementsAre(HasSubstr("scoringStrategi")));
}

TEST(NodeResourcesFitArgs, CreateRejectsInvalidArgs) {
  testing::TestCluster cluster;
  const auto made =
      NodeResourcesFit::Descriptor().create({Strategy(R"("type":"Least")")}, cluster.handle());
  ASSERT_FALSE(made.has_value());
  EXPECT_THAT(made.error().message(), HasSubstr("scoringStrategy.type"));
}

TEST(NodeResourcesFitArgs, EffectiveStrategyFillsInDefaults) {
  const ScoringStrategy none = NodeResourcesFitArgs().EffectiveStrategy();
  EXPECT_EQ(none.type, "LeastAllocated");
  ASSERT_EQ(none.resources.size(), 2u);
  EXPECT_EQ(none.resources[0].name, "cpu");
  EXPECT_EQ(none.resources[1].name, "memory");
  EXPECT_EQ(none.resources[1].weight, 1);

  NodeResourcesFitArgs args;
  args.scoring_strategy = {.type = "MostAllocated", .resources = {{"cpu", 0}, {"memory", 7}}};
  EXPECT_EQ(args.EffectiveStrategy().resources[0].weight, 1);
  EXPECT_EQ(args.EffectiveStrategy().resources[1].weight, 7);
}

}  // namespace
}  // namespace berth::scheduler
