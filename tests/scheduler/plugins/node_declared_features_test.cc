// SPDX-License-Identifier: Apache-2.0
#include "scheduler/plugins/node_declared_features.h"

#include <gtest/gtest.h>

#include "tests/scheduler/testing/test_cluster.h"

namespace berth::scheduler {
namespace {

using testing::Cycle;
using testing::FilterAll;
using testing::MakeNode;
using testing::MakePod;
using testing::NodeBuilder;
using testing::PodBuilder;
using testing::TestCluster;
using testing::Text;
using FeatureAnswers = std::map<std::string, std::string>;

constexpr const char* kRestartAll = "RestartAllContainersOnContainerExits";
constexpr const char* kUserNamespaces = "UserNamespacesHostNetworkSupport";
constexpr const char* kUndeclared =
    "UnschedulableAndUnresolvable: node(s) didn't match Pod's required features";

NodeBuilder DeclaringNode(const std::string& name, std::vector<std::string> features = {}) {
  NodeBuilder node = MakeNode(name);
  node.raw().status.declared_features = std::move(features);
  return node;
}

void AddRule(api::Container& container, const std::string& action) {
  container.restart_policy_rules.push_back({action, std::nullopt});
}

PodBuilder WithRestartRule(const std::string& action) {
  PodBuilder pod = MakePod("rule").Requests("").Requests("");
  AddRule(pod.raw().spec.containers.back(), "Restart");
  AddRule(pod.raw().spec.containers.back(), action);
  return pod;
}

PodBuilder WithInitRule() {
  PodBuilder pod = MakePod("init-rule").InitContainer("").Requests("");
  AddRule(pod.raw().spec.init_containers.back(), "RestartAllContainers");
  return pod;
}

PodBuilder WithHost(bool network, std::optional<bool> users) {
  PodBuilder pod = MakePod("host").Requests("");
  pod.raw().spec.host_network = network;
  pod.raw().spec.host_users = users;
  return pod;
}

TEST(NodeDeclaredFeatures, SkipsPodWithoutFeatures) {
  TestCluster cluster;
  cluster.Add(DeclaringNode("n"));
  const auto plugin = cluster.Plugin<NodeDeclaredFeatures>();
  for (const PodBuilder& pod :
       {MakePod("plain"), WithRestartRule("Restart"), WithHost(true, std::nullopt),
        WithHost(true, true), WithHost(false, false)}) {
    Cycle cycle(cluster, pod);
    EXPECT_EQ(FilterAll(*plugin, cycle), (FeatureAnswers{{"", "Skip"}}));
    EXPECT_EQ(Text(plugin->Filter(cycle.context(), cluster.View("n"))), "Success");
  }
}

TEST(NodeDeclaredFeatures, NodeMustDeclareAllFeatures) {
  TestCluster cluster;
  cluster.Add(DeclaringNode("none"))
      .Add(DeclaringNode("restart", {"Other", kRestartAll}))
      .Add(DeclaringNode("users", {kUserNamespaces}))
      .Add(DeclaringNode("both", {kUserNamespaces, kRestartAll}));
  PodBuilder both = WithRestartRule("RestartAllContainers");
  both.raw().spec.host_network = true;
  both.raw().spec.host_users = false;
  const struct {
    PodBuilder pod;
    FeatureAnswers answers;
  } cases[] = {
      {WithRestartRule("RestartAllContainers"),
       {{"none", kUndeclared},
        {"restart", "Success"},
        {"users", kUndeclared},
        {"both", "Success"}}},
      {WithInitRule(),
       {{"none", kUndeclared},
        {"restart", "Success"},
        {"users", kUndeclared},
        {"both", "Success"}}},
      {WithHost(true, false),
       {{"none", kUndeclared},
        {"restart", kUndeclared},
        {"users", "Success"},
        {"both", "Success"}}},
      {both,
       {{"none", kUndeclared},
        {"restart", kUndeclared},
        {"users", kUndeclared},
        {"both", "Success"}}},
  };
  const auto plugin = cluster.Plugin<NodeDeclaredFeatures>();
  for (const auto& test : cases) {
    Cycle cycle(cluster, test.pod);
    EXPECT_EQ(FilterAll(*plugin, cycle), test.answers) << &test - cases;
  }
}

TEST(NodeDeclaredFeatures, FilterWorksWithoutPreFilter) {
  TestCluster cluster;
  cluster.Add(DeclaringNode("none")).Add(DeclaringNode("restart", {kRestartAll}));
  const auto plugin = cluster.Plugin<NodeDeclaredFeatures>();
  Cycle cycle(cluster, WithInitRule());
  EXPECT_EQ(Text(plugin->Filter(cycle.context(), cluster.View("none"))), kUndeclared);
  EXPECT_EQ(Text(plugin->Filter(cycle.context(), cluster.View("restart"))), "Success");
}

TEST(NodeDeclaredFeatures, HintQueuesForNewNodeOrChangedFeatures) {
  TestCluster cluster;
  const auto plugin = cluster.Plugin<NodeDeclaredFeatures>();
  const auto pod = WithInitRule().Info(cluster.words());
  const NodeBuilder none = DeclaringNode("n");
  const NodeBuilder some = DeclaringNode("n", {kRestartAll});
  const auto hint = [&](const NodeBuilder* before, ActionMask action) {
    return plugin->Hint(*pod, {Resource::kNode, action, {}}, testing::NodeChange(before, &some));
  };
  EXPECT_EQ(hint(nullptr, action::kAdd), QueueingHint::kQueue);
  EXPECT_EQ(hint(&none, action::kUpdateNodeDeclaredFeature), QueueingHint::kQueue);
  EXPECT_EQ(hint(&some, action::kUpdateNodeDeclaredFeature), QueueingHint::kSkip);
}

TEST(NodeDeclaredFeatures, HintQueuesIfPodsFeaturesChanged) {
  TestCluster cluster;
  const auto plugin = cluster.Plugin<NodeDeclaredFeatures>();
  const auto info = [&](PodBuilder pod) { return pod.Uid("same").Info(cluster.words()); };
  const auto plain = info(MakePod("p"));
  const auto user = info(WithInitRule());
  const auto hint = [&](const auto& before, const auto& after) {
    return plugin->Hint(*plain, {Resource::kTargetPod, action::kUpdate, {}},
                        {.old_pod = before, .new_pod = after});
  };
  EXPECT_EQ(hint(user, plain), QueueingHint::kQueue);
  EXPECT_EQ(hint(plain, user), QueueingHint::kQueue);
  EXPECT_EQ(hint(user, user), QueueingHint::kSkip);
}

}  // namespace
}  // namespace berth::scheduler
