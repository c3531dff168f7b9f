// SPDX-License-Identifier: Apache-2.0
#include "tests/differential/extender_answers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace berth::differential {
namespace {

using ::testing::HasSubstr;

ExtenderAnswer Read(const std::string& verb, const char* written) {
  auto answers = ReadAnswers({{verb, Json::parse(written)}});
  EXPECT_TRUE(answers) << answers.error().message();
  return answers ? answers->at(verb) : ExtenderAnswer{};
}

Json Said(const std::string& verb, const char* written, const char* question) {
  const ExtenderReply reply =
      ReplyTo(verb, Read(verb, written), Json::parse(question), {{"low", "uid-1"}, {"b", "uid-2"}});
  EXPECT_EQ(reply.code, 200);
  return Json::parse(reply.body);
}

TEST(ExtenderAnswers, FilterRespondsWithNamesToNames) {
  EXPECT_EQ(Said("filter", R"({"failed": {"n1": "full", "n9": "x"}, "unresolvable": {"n2": "no"},
                               "silent": ["n3"], "adds": ["n7"]})",
                 R"({"Nodes": null, "NodeNames": ["n1", "n2", "n3", "n4"]})"),
            Json::parse(R"({"Nodes": null, "NodeNames": ["n4", "n7"], "Error": "",
                            "FailedNodes": {"n1": "full"},
                            "FailedAndUnresolvableNodes": {"n2": "no"}})"));
}

TEST(ExtenderAnswers, FilterRespondsWithNodesToNodes) {
  const Json said = Said("filter", R"({"failed": {"n1": "full"}, "adds": ["n7"]})",
                         R"({"NodeNames": null, "Nodes": {"metadata": {}, "items": [
          {"metadata": {"name": "n1"}, "spec": {}}, {"metadata": {"name": "n2"}, "spec": {}}]}})");
  EXPECT_EQ(said["Nodes"]["items"], Json::parse(R"([{"metadata": {"name": "n2"}, "spec": {}},
                                                    {"metadata": {"name": "n7"}}])"));
  EXPECT_TRUE(said["NodeNames"].is_null());
}

TEST(ExtenderAnswers, PrioritizeScoresTheRequestedNodes) {
  EXPECT_EQ(
      Said("prioritize", R"({"scores": {"n1": 3, "n9": 1}})", R"({"NodeNames": ["n1", "n2"]})"),
      Json::parse(R"([{"Host": "n1", "Score": 3}])"));
}

TEST(ExtenderAnswers, PreemptDropsNodesAndChangesVictims) {
  EXPECT_EQ(
      Said("preempt", R"({"drops": ["n1"], "spares": {"n2": ["low"]}, "victims": {"n3": ["b"]}})",
           R"({"NodeNameToVictims": null, "NodeNameToMetaVictims": {
                     "n1": {"Pods": [{"UID": "uid-1"}], "NumPDBViolations": 0},
                     "n2": {"Pods": [{"UID": "uid-1"}, {"UID": "uid-2"}], "NumPDBViolations": 1}}})"),
      Json::parse(R"({"NodeNameToMetaVictims": {
                     "n2": {"Pods": [{"UID": "uid-2"}], "NumPDBViolations": 1},
                     "n3": {"Pods": [{"UID": "uid-2"}], "NumPDBViolations": 0}}})"));
}

TEST(ExtenderAnswers, PreemptRespondsWithUidsToWholePods) {
  EXPECT_EQ(Said("preempt", "{}", R"({"NodeNameToVictims": {
                     "n1": {"Pods": [{"metadata": {"uid": "uid-1"}}], "NumPDBViolations": 2}},
                     "NodeNameToMetaVictims": null})"),
            Json::parse(R"({"NodeNameToMetaVictims": {
                     "n1": {"Pods": [{"UID": "uid-1"}], "NumPDBViolations": 2}}})"));
}

TEST(ExtenderAnswers, BindsUnlessConfiguredOtherwise) {
  EXPECT_TRUE(Read("bind", "{}").Binds());
  EXPECT_TRUE(Read("bind", R"({"text": ""})").Binds());
  EXPECT_FALSE(Read("bind", R"({"error": "lost"})").Binds());
  EXPECT_FALSE(Read("bind", R"({"code": 500})").Binds());
  EXPECT_FALSE(Read("bind", R"({"binds": false})").Binds());
  EXPECT_TRUE(Read("bind", R"({"binds": true, "code": 500})").Binds());
  EXPECT_EQ(Said("bind", R"({"error": "lost"})", "{}"), Json({{"Error", "lost"}}));
}

TEST(ExtenderAnswers, ReturnsCodeAndTextUnchanged) {
  const ExtenderReply reply =
      ReplyTo("filter", Read("filter", R"({"code": 503, "text": "x"})"), {}, {});
  EXPECT_EQ(reply.code, 503);
  EXPECT_EQ(reply.body, "x");
}

TEST(ExtenderAnswers, RejectsUnknownVerbsAndFields) {
  const auto error = [](const char* written) {
    const auto answers = ReadAnswers(Json::parse(written));
    return answers ? "" : answers.error().message();
  };
  EXPECT_THAT(error(R"({"score": {}})"), HasSubstr("score: unknown verb; allowed: filter"));
  EXPECT_THAT(error(R"({"prioritize": {"failed": {}}})"), HasSubstr("prioritize.failed"));
  EXPECT_THAT(error(R"({"filter": {"failed": ["n1"]}})"), HasSubstr("filter"));
}

}  // namespace
}  // namespace berth::differential
