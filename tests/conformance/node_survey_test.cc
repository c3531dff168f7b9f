// SPDX-License-Identifier: Apache-2.0
#include "tests/conformance/node_survey.h"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "scheduler/plugins/registry.h"
#include "tests/conformance/cycle_answers.h"

namespace berth::conformance {
namespace {

using nlohmann::json;
using scheduler::Slot;

constexpr const char* kCaseWithExtender = R"json({
  "name": "made-000",
  "config": {"apiVersion": "kubescheduler.config.k8s.io/v1", "kind": "KubeSchedulerConfiguration",
    "profiles": [{"schedulerName": "default-scheduler", "plugins": {"multiPoint": {
      "disabled": [{"name": "*"}], "enabled": [{"name": "PrioritySort"}, {"name": "DefaultBinder"},
        {"name": "NodeUnschedulable"}]}}}],
    "extenders": [{"urlPrefix": "http://extender", "filterVerb": "filter"}]},
  "objects": {
    "nodes": [{"metadata": {"name": "a", "uid": "a"}}, {"metadata": {"name": "b", "uid": "b"}},
              {"metadata": {"name": "c", "uid": "c"}, "spec": {"unschedulable": true}}],
    "pods": []},
  "pod": {"metadata": {"name": "p", "namespace": "default", "uid": "p"}, "spec": {}},
  "expect": {}})json";

// PassingPort returns the given nodes and leaves out all other nodes without a reason.
class PassingPort final : public scheduler::ExtenderPort {
 public:
  explicit PassingPort(std::vector<std::string> passes) : passes_(std::move(passes)) {}

  Result<scheduler::ExtenderVerdicts> Filter(const scheduler::PendingPod&,
                                             const scheduler::Snapshot& snapshot,
                                             std::span<const Slot> nodes) override {
    scheduler::ExtenderVerdicts verdicts;
    for (const Slot slot : nodes) {
      const std::string& name = snapshot.At(slot).name.text();
      if (std::ranges::find(passes_, name) != passes_.end()) verdicts.fitting.push_back(slot);
    }
    return verdicts;
  }
  AwaitScores Prioritize(const scheduler::PendingPod&, const scheduler::Snapshot&,
                         std::span<const Slot>) override {
    return [] { return Result<std::vector<scheduler::ExtenderScore>>(); };
  }
  Result<std::vector<scheduler::Candidate>> Preempt(
      const scheduler::PendingPod&, const scheduler::Snapshot&,
      std::span<const scheduler::Candidate> candidates) override {
    return std::vector<scheduler::Candidate>(candidates.begin(), candidates.end());
  }
  void Bind(const scheduler::PendingPod&, const scheduler::NodeRef&,
            std::function<void(Result<void>)> done) override {
    done({});
  }

 private:
  const std::vector<std::string> passes_;
};

json AnswerWith(const std::vector<std::string>& passes, ResultCacheMode mode) {
  const auto fixture = ParseFixture(kCaseWithExtender);
  EXPECT_TRUE(fixture) << fixture.error().message();
  const auto make_port = [&](const api::Extender&) {
    return Result<std::unique_ptr<scheduler::ExtenderPort>>(std::make_unique<PassingPort>(passes));
  };
  auto cluster = Cluster::Create(*fixture, scheduler::MakeRegistry(), mode, make_port);
  EXPECT_TRUE(cluster) << cluster.error().message();
  const auto pod = (*cluster)->InfoOf(fixture->steps.front().pod);
  json answer;
  AddCycleResults(**cluster, *pod, /*is_sequence=*/false, answer);
  return answer;
}

TEST(NodeSurvey, RejectsTheNodesThatAnExtenderLeavesOut) {
  const json left_out = {{"code", "UnschedulableAndUnresolvable"}, {"plugin", "Extender"}};
  const json cordoned = {{"code", "UnschedulableAndUnresolvable"},
                         {"plugin", "NodeUnschedulable"},
                         {"reasons", json::array({"node(s) were unschedulable"})}};
  for (const NamedResultCacheMode& each : kResultCacheModes) {
    SCOPED_TRACE(each.name);
    json answer = AnswerWith({"b"}, each.mode);
    EXPECT_EQ(answer["filter"],
              (json{{"a", left_out}, {"b", {{"code", "Success"}}}, {"c", cordoned}}));
    EXPECT_EQ(answer["feasible"], json::array({"b"}));
    EXPECT_EQ(answer["total"], (json{{"b", 0}}));
    EXPECT_EQ(answer["pick"], json::array({"b"}));

    answer = AnswerWith({}, each.mode);
    EXPECT_EQ(answer["filter"], (json{{"a", left_out}, {"b", left_out}, {"c", cordoned}}));
    EXPECT_EQ(answer["feasible"], json::array());
    EXPECT_TRUE(answer.contains("fitError"));
    EXPECT_FALSE(answer.contains("search"));
  }
}

}  // namespace
}  // namespace berth::conformance
