// SPDX-License-Identifier: Apache-2.0
#include "tests/differential/scenario.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace berth::differential {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;

Scenario Read(std::string_view text) {
  auto scenario = ParseScenario(text, "taints", "one");
  EXPECT_TRUE(scenario) << scenario.error().message();
  return scenario ? std::move(*scenario) : Scenario{};
}

std::string ErrorIn(std::string_view text) {
  const auto scenario = ParseScenario(text, "taints", "one");
  return scenario ? "" : scenario.error().message();
}

const Change& ChangeOf(const Step& step) { return std::get<Change>(step.action); }

std::vector<std::string> TargetsOf(const std::vector<Operation>& operations) {
  std::vector<std::string> names;
  for (const Operation& operation : operations) {
    names.push_back(operation.target.kind + "/" + operation.target.ns + "/" +
                    operation.target.name);
  }
  return names;
}

TEST(Scenario, CreatesTheClusterBeforePendingPods) {
  const Scenario scenario = Read(R"(
summary: s
nodes: [{name: small, count: 2}]
objects: [{apiVersion: v1, kind: Service, metadata: {name: web}}]
pods: [{name: waits}, {name: placed, nodeName: small-0}, {name: other, namespace: red}]
expect: {waits: small-0}
)");
  ASSERT_THAT(scenario.steps, SizeIs(1));
  EXPECT_EQ(scenario.steps[0].name, "begin");
  const Change& begin = ChangeOf(scenario.steps[0]);
  EXPECT_THAT(TargetsOf(begin.cluster),
              ElementsAre("node//small-0", "node//small-1", "service/taints-one/web",
                          "pod/taints-one/placed"));
  EXPECT_THAT(TargetsOf(begin.pods), ElementsAre("pod/taints-one/waits", "pod/red/other"));
}

TEST(Scenario, PodsGetTheSchedulerOfTheProfile) {
  const auto scheduler_in = [](const std::string& profile) {
    const Scenario scenario =
        Read("summary: s\n" + profile + "pods: [{name: a}]\nexpect: {a: pending}\n");
    return ChangeOf(scenario.steps[0]).pods[0].body["spec"]["schedulerName"].get<std::string>();
  };
  EXPECT_EQ(scheduler_in(""), "default-scheduler");
  EXPECT_EQ(scheduler_in("profile: {}\n"), "taints-one");
}

TEST(Scenario, ExpandsThePodShortForm) {
  const Scenario scenario = Read(R"(
summary: s
pods: [{name: a, requests: {cpu: 1}, ports: [{hostPort: 80}], priority: 5, labels: {x: "1"}, status: {phase: Running}}]
expect: {a: pending}
)");
  const Operation& pod = ChangeOf(scenario.steps[0]).pods[0];
  EXPECT_EQ(pod.status, Json({{"phase", "Running"}}));
  EXPECT_EQ(pod.body["metadata"]["labels"], Json({{"x", "1"}}));
  const Json& spec = pod.body["spec"];
  EXPECT_EQ(spec["priority"], 5);
  ASSERT_THAT(spec["containers"], SizeIs(1));
  EXPECT_EQ(spec["containers"][0]["resources"], Json({{"requests", {{"cpu", 1}}}}));
  EXPECT_EQ(spec["containers"][0]["ports"][0], Json({{"hostPort", 80}, {"containerPort", 80}}));
}

TEST(Scenario, NodesGetTheHostnameLabelUnlessNull) {
  const Scenario scenario = Read(R"(
summary: s
nodes:
- {name: a, zone: z, allocatable: {cpu: 2}}
- {name: b, labels: {kubernetes.io/hostname: null}}
pods: [{name: p}]
expect: {p: a}
)");
  const auto& nodes = ChangeOf(scenario.steps[0]).cluster;
  EXPECT_EQ(nodes[0].body["metadata"]["labels"],
            Json({{"kubernetes.io/hostname", "a"}, {"topology.kubernetes.io/zone", "z"}}));
  EXPECT_EQ(nodes[0].body["status"]["allocatable"], Json({{"cpu", 2}, {"pods", "110"}}));
  EXPECT_EQ(nodes[1].body["metadata"]["labels"], Json::object());
}

TEST(Scenario, ReadsEveryStepType) {
  const Scenario scenario = Read(R"(
summary: s
steps:
- update: {nodes: {a: {spec: {taints: null}}}}
- status: {pods: {other/p: {phase: Failed}}}
- resize: {p: {containers: []}}
- delete: {pods: [p], objects: [Service/web, Namespace/red]}
- kubelet: [run, end]
- scheduler: restart
- wait: {p: bound, q: {message: cpu}}
expect: {p: [a, b]}
)");
  ASSERT_THAT(scenario.steps, SizeIs(7));
  EXPECT_EQ(ChangeOf(scenario.steps[0]).cluster[0].body,
            Json::parse(R"({"spec":{"taints":null}})"));
  const Operation& status = ChangeOf(scenario.steps[1]).pods[0];
  EXPECT_EQ(status.target, (ObjectName{"pod", "other", "p"}));
  EXPECT_EQ(status.subresource, "status");
  EXPECT_EQ(status.body, Json::parse(R"({"status":{"phase":"Failed"}})"));
  EXPECT_EQ(ChangeOf(scenario.steps[2]).pods[0].subresource, "resize");
  EXPECT_THAT(TargetsOf(ChangeOf(scenario.steps[3]).cluster),
              ElementsAre("pod/taints-one/p", "service/taints-one/web", "namespace//red"));
  EXPECT_THAT(std::get<std::vector<Kubelet>>(scenario.steps[4].action),
              ElementsAre(Kubelet::kRun, Kubelet::kEnd));
  EXPECT_EQ(std::get<Control>(scenario.steps[5].action), Control::kRestart);
  EXPECT_EQ(std::get<Wait>(scenario.steps[6].action).at("q").message, "cpu");
  EXPECT_THAT(scenario.expect.at("p"), ElementsAre("a", "b"));
}

TEST(Scenario, CreatesVolumesAndClaimsBeforeTheirPods) {
  const Scenario scenario = Read(R"(
summary: s
volumes: [{name: pv1}]
claims: [{name: data}]
pods: [{name: web, claims: [data]}]
steps:
- controller: [claim, provision, bind]
  wait: {web: bound, PersistentVolumeClaim/data: claimed}
- update: {claims: {data: {metadata: {labels: {a: b}}}}, volumes: {pv1: {spec: {claimRef: null}}}}
- delete: {volumes: [pv1], claims: [data]}
expect: {web: n1, PersistentVolumeClaim/data: pv1}
)");
  ASSERT_THAT(scenario.steps, SizeIs(4));
  EXPECT_THAT(TargetsOf(ChangeOf(scenario.steps[0]).cluster),
              ElementsAre("persistentvolume//pv1", "persistentvolumeclaim/taints-one/data"));
  EXPECT_EQ(ChangeOf(scenario.steps[0]).pods[0].body["spec"]["volumes"],
            Json::parse(R"([{"name":"data","persistentVolumeClaim":{"claimName":"data"}}])"));
  EXPECT_THAT(std::get<std::vector<Controller>>(scenario.steps[1].action),
              ElementsAre(Controller::kClaim, Controller::kProvision, Controller::kBind));
  EXPECT_EQ(scenario.steps[1].then.at("web").state, "bound");
  EXPECT_EQ(scenario.steps[1].then.at("PersistentVolumeClaim/data").state, "claimed");
  EXPECT_THAT(TargetsOf(ChangeOf(scenario.steps[2]).cluster),
              ElementsAre("persistentvolume//pv1", "persistentvolumeclaim/taints-one/data"));
  EXPECT_THAT(TargetsOf(ChangeOf(scenario.steps[3]).cluster),
              ElementsAre("persistentvolumeclaim/taints-one/data", "persistentvolume//pv1"));
}

TEST(Scenario, CreatesGroupsBeforeTheirPods) {
  const Scenario scenario = Read(R"(
summary: s
groups: [{name: train, minCount: 2}]
pods: [{name: train, count: 2, group: train}]
steps:
- wait: {PodGroup/train: scheduled, PodGroup/other/train: {message: minCount}}
- update: {groups: {train: {spec: {schedulingPolicy: {gang: {minCount: 1}}}}}}
- create: {objects: [{apiVersion: scheduling.k8s.io/v1beta1, kind: PodGroup, metadata: {name: whole}}]}
- delete: {groups: [train], objects: [PodGroup/whole]}
alike: [train]
expect: {train: [n1, pending], PodGroup/train: waiting}
)");
  ASSERT_THAT(scenario.steps, SizeIs(5));
  const std::string train = "podgroup.scheduling.k8s.io/taints-one/train";
  const std::string whole = "podgroup.scheduling.k8s.io/taints-one/whole";
  EXPECT_THAT(TargetsOf(ChangeOf(scenario.steps[0]).cluster), ElementsAre(train));
  EXPECT_EQ(ChangeOf(scenario.steps[0]).pods[0].body["spec"]["schedulingGroup"],
            Json({{"podGroupName", "train"}}));
  const Wait& wait = std::get<Wait>(scenario.steps[1].action);
  EXPECT_EQ(wait.at("PodGroup/train").state, "scheduled");
  EXPECT_EQ(wait.at("PodGroup/other/train").message, "minCount");
  EXPECT_THAT(TargetsOf(ChangeOf(scenario.steps[2]).cluster), ElementsAre(train));
  EXPECT_THAT(TargetsOf(ChangeOf(scenario.steps[3]).cluster), ElementsAre(whole));
  EXPECT_THAT(TargetsOf(ChangeOf(scenario.steps[4]).cluster), ElementsAre(train, whole));
  EXPECT_THAT(scenario.alike, ElementsAre("train"));
  EXPECT_THAT(scenario.expect.at("train"), ElementsAre("n1", "pending"));
}

TEST(Scenario, ReadsExtendersAndNewResponses) {
  const Scenario scenario = Read(R"(
summary: s
extenders:
- {name: gpu, filterVerb: f, weight: 2, answers: {filter: {failed: {n1: full}}}}
pods: [{name: a}]
steps:
- extenders: {gpu: {filter: {error: down}}}
  wait: {a: refused}
expect: {a: pending}
)");
  ASSERT_THAT(scenario.extenders, SizeIs(1));
  EXPECT_EQ(scenario.extenders[0].name, "gpu");
  EXPECT_EQ(scenario.extenders[0].config, Json({{"filterVerb", "f"}, {"weight", 2}}));
  EXPECT_EQ(scenario.extenders[0].answers.at("filter").failed.at("n1"), "full");
  ASSERT_THAT(scenario.steps, SizeIs(2));
  EXPECT_EQ(std::get<NewAnswers>(scenario.steps[1].action).at("gpu").at("filter").error, "down");
  EXPECT_EQ(scenario.steps[1].then.at("a").state, "refused");
}

TEST(Scenario, RejectsUnknownFieldsAndWords) {
  const std::string end = "\nexpect: {a: pending}\n";
  EXPECT_THAT(ErrorIn("pods: [{name: a}]" + end), HasSubstr("summary: is missing"));
  EXPECT_THAT(ErrorIn("summary: s\npods: [{name: a}]\n"), HasSubstr("expect: is missing"));
  EXPECT_THAT(ErrorIn("summary: s\npods: [{name: n}]" + end), HasSubstr("false is not a string"));
  EXPECT_THAT(ErrorIn("summary: s\nsteps: [{wait: {a: there}}]" + end),
              HasSubstr("steps[0]: wait: \"there\" is invalid; allowed: bound"));
  EXPECT_THAT(ErrorIn("summary: s\nsteps: [{kubelet: [run], scheduler: stop}]" + end),
              HasSubstr("expected a step with one key"));
  EXPECT_THAT(ErrorIn("summary: s\nsteps: [{wait: {PersistentVolumeClaim/a: bound}}]" + end),
              HasSubstr("\"bound\" is invalid; allowed: claimed, selected"));
  EXPECT_THAT(ErrorIn("summary: s\nsteps: [{wait: {PodGroup/a: bound}}]" + end),
              HasSubstr("\"bound\" is invalid; allowed: scheduled, refused"));
  EXPECT_THAT(ErrorIn("summary: s\nsteps: [{recreate: {}}]" + end), HasSubstr("recreate"));
  EXPECT_THAT(ErrorIn("summary: s\nextenders: [{filterVerb: f}]" + end),
              HasSubstr("extenders[0]: name: is missing"));
  EXPECT_THAT(ErrorIn("summary: s\nsteps: [{extenders: {gpu: {filter: {}}}}]" + end),
              HasSubstr("unknown extender gpu"));
}

TEST(Scenario, ReadsAllScenariosOfTheRepository) {
  const auto all = ReadScenarios("tests/differential/scenarios");
  ASSERT_TRUE(all) << all.error().message();
  EXPECT_GE(all->size(), 120U);
}

}  // namespace
}  // namespace berth::differential
