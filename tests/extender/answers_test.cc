// SPDX-License-Identifier: Apache-2.0
#include "extender/answers.h"

#include <limits>
#include <memory>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/json/json.h"
#include "scheduler/observer.h"
#include "scheduler/plugins/registry.h"
#include "tests/scheduler/testing/test_cluster.h"

namespace berth::extender {
namespace {

using scheduler::testing::MakeNode;
using scheduler::testing::MakePod;
using scheduler::testing::RecordingApi;
using ::testing::HasSubstr;

constexpr const char* kPlugins = R"(
apiVersion: berth.dev/v1alpha1
kind: ExtenderConfiguration
extenders:
- {urlPrefix: /none, filterVerb: f, prioritizeVerb: p, preemptVerb: e}
- urlPrefix: /test
  filterVerb: f
  prioritizeVerb: p
  preemptVerb: e
  plugins:
    filter: {enabled: [{name: PodNameLength}, {name: NodeAffinity}, {name: NodeResourcesFit}]}
    preFilter: {enabled: [{name: NodeAffinity}, {name: NodeResourcesFit}]}
    score: {enabled: [{name: NodeNameLength, weight: 2}]})";

// The core has these nodes: n2 with room for one pod, which it has, and node-ten-c without limits.
class AnswersTest : public ::testing::Test {
 protected:
  AnswersTest() {
    const auto config = LoadConfiguration(kPlugins, "e.yaml").value();
    entries_ = MakeEntries(config, scheduler::MakeRegistry(), {clock_, api_, words_}).value();
    core_.On(api::Added(MakeNode("n2").Allocatable("cpu=2,pods=9").Build()));
    core_.On(api::Added(MakeNode("node-ten-c").Allocatable("cpu=9,pods=9").Build()));
    core_.On(api::Added(MakePod("v1").OnNode("n2").Requests("cpu=1").Build()));
    core_.On(api::Added(MakePod("v2").OnNode("n2").Requests("cpu=1").Build()));
  }

  Answer Ask(Verb verb, const std::string& question, size_t entry = 1, bool knows_cluster = true) {
    return AnswerTo({&entries_[entry], verb}, question, core_, words_, knows_cluster);
  }
  std::string Body(Verb verb, const std::string& question, size_t entry = 1) {
    const Answer answer = Ask(verb, question, entry);
    EXPECT_EQ(answer.code, 200);
    return answer.body;
  }
  static std::string Pod(const std::string& name, const std::string& spec = "{}") {
    return R"({"metadata":{"name":")" + name + R"(","namespace":"default","uid":"u"},"spec":)" +
           spec + "}";
  }
  static std::string Names(const std::string& pod, const std::string& names) {
    return R"({"Pod":)" + pod + R"(,"Nodes":null,"NodeNames":)" + names + "}";
  }
  static std::string Whole(const std::string& pod, const std::string& items) {
    return R"({"Pod":)" + pod + R"(,"Nodes":{"metadata":{},"items":)" + items +
           R"(},"NodeNames":null})";
  }

  FakeClock clock_;
  RecordingApi api_;
  scheduler::SchedulerObserver observer_;
  scheduler::Vocabulary words_;
  std::vector<Entry> entries_;
  scheduler::Scheduler core_{clock_, api_, words_, observer_};
};

constexpr const char* kOneCpu =
    R"({"containers":[{"name":"c","resources":{"requests":{"cpu":"1"}}}]})";

TEST_F(AnswersTest, FilterWithNodeNames) {
  EXPECT_EQ(Body(Verb::kFilter, Names(Pod("p"), R"(["node-ten-c","n2"])")),
            R"({"Nodes":null,"NodeNames":["node-ten-c","n2"],"FailedNodes":null,)"
            R"("FailedAndUnresolvableNodes":null,"Error":""})");
  EXPECT_EQ(Body(Verb::kFilter, Names(Pod("p", kOneCpu), R"(["n2","node-ten-c"])")),
            R"({"Nodes":null,"NodeNames":["node-ten-c"],"FailedNodes":{"n2":"Insufficient cpu"},)"
            R"("FailedAndUnresolvableNodes":null,"Error":""})");
  EXPECT_EQ(Body(Verb::kFilter, Names(Pod("long-name"), R"(["n2","who"])")),
            R"({"Nodes":null,"NodeNames":[],"FailedNodes":null,"FailedAndUnresolvableNodes":{)"
            R"("n2":"the pod's name has 9 characters, it must have fewer than 5",)"
            R"("who":"this extender does not know a node of that name"},"Error":""})");
  EXPECT_EQ(Body(Verb::kFilter, Names(Pod("p"), R"([])")),
            R"({"Nodes":null,"NodeNames":[],"FailedNodes":null,)"
            R"("FailedAndUnresolvableNodes":null,"Error":""})");
}

TEST_F(AnswersTest, FilterReturnsWholeNodesUnchanged) {
  const std::string fits =
      R"({"metadata":{"name":"new","x-unknown":[1]},"status":{"allocatable":{"cpu":"1","pods":"1"}}})";
  const std::string full = R"({"metadata":{"name":"old"},"status":{"allocatable":{"pods":"1"}}})";
  EXPECT_EQ(Body(Verb::kFilter, Whole(Pod("p", kOneCpu), "[" + fits + "," + full + "]")),
            R"({"Nodes":{"metadata":{},"items":[)" + fits +
                R"(]},"NodeNames":null,"FailedNodes":null,)"
                R"("FailedAndUnresolvableNodes":{"old":"Insufficient cpu"},"Error":""})");
  EXPECT_EQ(core_.cache().node_count(), 2U) << "nodes of a request are temporary";
}

TEST_F(AnswersTest, NodeOfRequestReplacesKnownNode) {
  const std::string larger = R"([{"metadata":{"name":"n2","uid":"uid-n2","resourceVersion":"9"},)"
                             R"("status":{"allocatable":{"cpu":"3","pods":"9"}}}])";
  // The two known pods of the node count.
  EXPECT_THAT(Body(Verb::kFilter, Whole(Pod("p", kOneCpu), larger)),
              HasSubstr(R"("FailedNodes":null)"));
  const std::string two_more =
      R"({"containers":[{"name":"c","resources":{"requests":{"cpu":"2"}}}]})";
  EXPECT_THAT(Body(Verb::kFilter, Whole(Pod("p", two_more), larger)),
              HasSubstr(R"("FailedNodes":{"n2":"Insufficient cpu"})"));
  EXPECT_THAT(Body(Verb::kFilter, Names(Pod("p", kOneCpu), R"(["n2"])")),
              HasSubstr(R"("FailedNodes":{"n2":"Insufficient cpu"})"))
      << "the known node is restored";
  EXPECT_EQ(core_.cache().repairs(), 0U);
}

TEST_F(AnswersTest, EntryWithoutPluginsAcceptsAllNodes) {
  EXPECT_THAT(Body(Verb::kFilter, Names(Pod("long-name"), R"(["n2"])"), 0),
              HasSubstr(R"("NodeNames":["n2"],"FailedNodes":null)"));
  EXPECT_EQ(Body(Verb::kPrioritize, Names(Pod("p"), R"(["n2","node-ten-c"])"), 0),
            R"([{"Host":"n2","Score":0},{"Host":"node-ten-c","Score":0}])");
}

// 100 * (20 - length) / 20, twice: not rounded to the protocol's 0 to 10.
TEST_F(AnswersTest, PrioritizeReturnsWeightedSum) {
  EXPECT_EQ(
      Body(Verb::kPrioritize, Names(Pod("p"), R"(["node-ten-c","who","n2"])")),
      R"([{"Host":"node-ten-c","Score":100},{"Host":"n2","Score":180},{"Host":"who","Score":0}])");
  EXPECT_EQ(Body(Verb::kPrioritize, Whole(Pod("p"), R"([{"metadata":{"name":"abc"}}])")),
            R"([{"Host":"abc","Score":170}])");
  EXPECT_EQ(Body(Verb::kPrioritize, Names(Pod("p"), "[]")), "[]");
}

TEST_F(AnswersTest, DuplicateNodesCountOnce) {
  EXPECT_THAT(Body(Verb::kFilter, Names(Pod("p"), R"(["n2","n2"])")),
              HasSubstr(R"("NodeNames":["n2"])"));
  EXPECT_EQ(Body(Verb::kPrioritize,
                 Whole(Pod("p"), R"([{"metadata":{"name":"abc"}},{"metadata":{"name":"abc"}}])")),
            R"([{"Host":"abc","Score":170}])");
}

TEST_F(AnswersTest, OldLetterCaseRequestGetsOldLetterCase) {
  const auto old = [](const std::string& pod) {
    return R"( { "pod":)" + pod + R"(,"nodenames":["n2","who"]})";
  };
  EXPECT_EQ(Body(Verb::kFilter, old(Pod("p"))),
            R"({"failedAndUnresolvableNodes":{"who":"this extender does not know a node of that )"
            R"(name"},"nodenames":["n2"]})");
  EXPECT_EQ(
      Body(Verb::kFilter,
           R"({"pod":)" + Pod("p") + R"(,"nodes":{"items":[{"metadata":{"name":"abc"}}]}})", 0),
      R"({"nodes":{"metadata":{},"items":[{"metadata":{"name":"abc"}}]}})");
  EXPECT_EQ(Body(Verb::kPrioritize, old(Pod("p"))),
            R"([{"host":"n2","score":180},{"host":"who","score":0}])");
  EXPECT_EQ(Body(Verb::kPreempt, R"({"pod":)" + Pod("p", kOneCpu) +
                                     R"(,"nodeNameToMetaVictims":{"n2":{"pods":[{"uid":"uid-v1"}],)"
                                     R"("numPDBViolations":2}}})"),
            R"({"nodeNameToMetaVictims":{"n2":{"numPDBViolations":2,"pods":[{"uid":"uid-v1"}]}}})");
  EXPECT_EQ(Body(Verb::kPreempt, R"({"pod":)" + Pod("p", kOneCpu) +
                                     R"(,"nodeToVictims":{"n2":{"pods":[{"metadata":{"uid":)"
                                     R"("uid-v1"}}],"numPDBViolations":0}}})"),
            R"({"nodeNameToMetaVictims":{"n2":{"numPDBViolations":0,"pods":[{"uid":"uid-v1"}]}}})")
      << "the old field name";
  EXPECT_EQ(Body(Verb::kFilter, R"({"pod":7})").substr(0, 9), R"({"error":)");
}

TEST_F(AnswersTest, PreemptKeepsNodesWherePodFitsWithoutVictims) {
  const auto ask = [&](const std::string& victims, const std::string& pod = Pod("p", kOneCpu)) {
    return Body(Verb::kPreempt, R"({"Pod":)" + pod + R"(,"NodeNameToVictims":null,)" +
                                    R"("NodeNameToMetaVictims":)" + victims + "}");
  };
  const std::string leaves =
      R"({"NodeNameToMetaVictims":{"n2":{"Pods":[{"UID":"uid-v1"}],"NumPDBViolations":1}}})";
  EXPECT_EQ(ask(R"({"n2":{"Pods":[{"UID":"uid-v1"}],"NumPDBViolations":1}})"), leaves);
  EXPECT_EQ(ask(R"({"n2":{"Pods":[{"UID":"uid-v1"}],"NumPDBViolations":1},)"
                R"("who":{"Pods":[{"UID":"x"}],"NumPDBViolations":0}})"),
            leaves);
  EXPECT_EQ(ask(R"({"n2":{"Pods":[{"UID":"elsewhere"}],"NumPDBViolations":0}})"),
            R"({"NodeNameToMetaVictims":null})")
      << "an absent victim frees no resources";
  EXPECT_EQ(
      ask(R"({"n2":{"Pods":[{"UID":"uid-v1"}],"NumPDBViolations":0}})", Pod("long-name", kOneCpu)),
      R"({"NodeNameToMetaVictims":null})");
  EXPECT_EQ(
      Body(Verb::kPreempt, R"({"Pod":)" + Pod("p", kOneCpu) +
                               R"(,"NodeNameToVictims":{"n2":{"Pods":[{"metadata":{"name":"v1",)"
                               R"("uid":"uid-v1"}}],"NumPDBViolations":1}}})"),
      leaves)
      << "the response contains UIDs for both forms";
  EXPECT_EQ(core_.cache().At(core_.cache().Find("n2")).pods.size(), 2U);
}

TEST_F(AnswersTest, InvalidRequestsReturnReason) {
  const std::string deep(100'000, '[');
  std::string many = "[\"n2\"";
  for (size_t i = 0; i < kMaxNodes; ++i) many += ",\"n" + std::to_string(i) + "\"";
  const struct {
    std::string question, error;
  } kCases[] = {
      {"", "cannot decode the request"},
      {"null", "Pod is missing"},
      {"[]", "cannot decode the request"},
      {"{}", "Pod is missing"},
      {R"({"Pod":null})", "Pod is missing"},
      {R"({"Pod":7,"NodeNames":[]})", "Pod: "},
      {R"({"Pod":{},"NodeNames":[]})", "Pod: metadata.name is missing"},
      {R"({"Pod":{"metadata":{"name":7}},"NodeNames":[]})", "Pod: "},
      {Names(Pod("p"), "null"), "Nodes and NodeNames are missing"},
      {Names(Pod("p"), R"("n2")"), "cannot decode the request"},
      {Names(Pod("p"), "[7]"), "cannot decode the request"},
      {Names(Pod("p"), many + "]"), "found 50001 nodes, at most 50000 are allowed in a request"},
      {Whole(Pod("p"), "[{}]"), "Nodes.items[0]: metadata.name is missing"},
      {Whole(Pod("p"), R"([{"metadata":{"name":"a"}},7])"), "Nodes.items[1]: "},
      {R"({"Pod":)" + deep, "cannot decode the request"},
      {"\xff\xfe{", "cannot decode the request"},
  };
  for (const auto& each : kCases) {
    const Answer filter = Ask(Verb::kFilter, each.question);
    EXPECT_EQ(filter.code, 200);
    EXPECT_THAT(filter.body, HasSubstr(R"("Error":")" + each.error)) << each.question.substr(0, 80);
    EXPECT_TRUE(json::Canonical(filter.body));
    const Answer prioritize = Ask(Verb::kPrioritize, each.question);
    EXPECT_EQ(prioritize.code, 400);
    EXPECT_THAT(prioritize.body, HasSubstr(R"({"Error":")" + each.error));
  }
  EXPECT_THAT(Ask(Verb::kPreempt, R"({"Pod":)" + Pod("p") + "}").body,
              HasSubstr("NodeNameToVictims and NodeNameToMetaVictims are missing"));
  EXPECT_THAT(Ask(Verb::kFilter, Names(Pod("p"), R"(["n2"])"), 1, /*knows_cluster=*/false).body,
              HasSubstr("found NodeNames, but this extender has no cluster connection"));
}

TEST_F(AnswersTest, DecodesInvalidUtf8LikeGo) {
  EXPECT_THAT(Body(Verb::kFilter, Names(Pod("p"), "[\"n\xff\"]")),
              HasSubstr("\"FailedAndUnresolvableNodes\":{\"n\xef\xbf\xbd\":\"this extender"));
}

TEST_F(AnswersTest, BindCreatesBinding) {
  std::vector<Answer> answers;
  const auto bind = [&](const std::string& question) {
    Bind(question, api_, [&](Answer answer) { answers.push_back(std::move(answer)); });
  };
  bind(R"({"PodName":"p","PodNamespace":"ns","PodUID":"u","Node":"n2"})");
  ASSERT_EQ(api_.binds.size(), 1U);
  EXPECT_EQ(api_.binds[0].pod.Key(), "ns/p");
  EXPECT_EQ(api_.binds[0].pod.uid, "u");
  EXPECT_EQ(api_.binds[0].node, "n2");
  EXPECT_TRUE(answers.empty());
  api_.binds[0].done({});
  ASSERT_EQ(answers.size(), 1U);
  EXPECT_EQ(answers[0].body, R"({"Error":""})");
  api_.binds[0].done(Fail(Reason::kConflict, "it is on n3 already"));
  EXPECT_EQ(answers[1].body, R"({"Error":"it is on n3 already"})");
  bind(R"({"podName":"p","podNamespace":"ns","podUID":"","node":"n2"})");
  EXPECT_EQ(answers[2].body, R"({"error":"PodUID is missing"})");
  bind("{");
  EXPECT_THAT(answers[3].body, HasSubstr(R"({"Error":"cannot decode the request)"));
  EXPECT_EQ(api_.binds.size(), 1U);
}

}  // namespace
}  // namespace berth::extender
