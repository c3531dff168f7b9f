// SPDX-License-Identifier: Apache-2.0
#include "scheduler/plugins/expressions/node_classes.h"

#include <random>

#include <gtest/gtest.h>

#include "cel/convert.h"
#include "tests/scheduler/testing/test_cluster.h"

namespace berth::scheduler {
namespace {

using testing::MakeNode;
using testing::MakePod;
using testing::NodeBuilder;
using testing::TestCluster;

Expression MakeExpression(std::string_view text) {
  auto expression = Expression::Create(text, Expression::ResultType::kAnything);
  EXPECT_TRUE(expression.has_value()) << expression.error().message();
  return *expression;
}

uint64_t SerialOf(NodeClasses& kinds, const Expression& expression, const NodeInfo& node) {
  cel::Budget budget = ExpressionBudget();
  const auto kind = kinds.Of(node, expression, budget);
  return kind ? kind->serial : 0;
}

TEST(NodeClasses, GroupNodesByValuesRead) {
  TestCluster cluster;
  cluster.Add(MakeNode("a").Label("team", "red"))
      .Add(MakeNode("b").Label("team", "red").Label("more", ""))
      .Add(MakeNode("c").Label("team", "blue"))
      .Add(MakeNode("d"));
  const Expression expression =
      MakeExpression("node.metadata.labels['team'] == pod.metadata.labels['team']");
  NodeClasses kinds;
  const auto of = [&](const char* name) {
    return SerialOf(kinds, expression, cluster.View(name).info());
  };
  const uint64_t red = of("a");
  EXPECT_EQ(of("b"), red);
  EXPECT_NE(of("c"), red);
  EXPECT_NE(of("d"), red) << "an error is also a value";
  EXPECT_EQ(kinds.size(), 3u);

  cluster.Add(MakeNode("b").Label("team", "blue"));
  EXPECT_EQ(of("b"), of("c")) << "the label of b changed";
  cluster.Add(MakeNode("a").Label("team", "blue"));
  EXPECT_EQ(of("a"), of("c"));
  EXPECT_EQ(kinds.size(), 2u) << "a class without nodes is removed";
  cluster.Add(MakeNode("a").Label("team", "red"));
  EXPECT_NE(of("a"), red) << "a recreated class has a new serial";
}

TEST(NodeClasses, DoNotCacheAfterBudgetExhausted) {
  TestCluster cluster;
  cluster.Add(MakeNode("a").Label("team", "red"));
  const Expression expression = MakeExpression("node.metadata.labels['team'] + '!'");
  NodeClasses kinds;
  cel::Budget small(3, 3);
  EXPECT_FALSE(kinds.Of(cluster.View("a").info(), expression, small).has_value());
  cel::Budget budget = ExpressionBudget();
  const auto kind = kinds.Of(cluster.View("a").info(), expression, budget);
  ASSERT_TRUE(kind.has_value());
  EXPECT_EQ(cel::ToText(kind->values.front()), "red!");
}

TEST(ByClass, ComputesOncePerClass) {
  ByClass<int> known;
  int asked = 0;
  const auto ask = [&](uint32_t id, uint64_t serial) {
    return known.Of({id, serial, {}}, [&] { return ++asked; });
  };
  EXPECT_EQ(ask(0, 7), 1);
  EXPECT_EQ(ask(3, 8), 2);
  EXPECT_EQ(ask(0, 7), 1);
  EXPECT_EQ(ask(0, 9), 3) << "another class with the same id";
}

// Evaluates an expression undivided.
cel::Value Whole(std::string_view text, const api::Pod& pod, const api::Node& node) {
  const auto program = cel::Compile(text, ExpressionEnvironment());
  EXPECT_TRUE(program.has_value()) << text;
  cel::StructVariable of_pod(json::TypeOf<api::Pod>()), of_node(json::TypeOf<api::Node>());
  of_pod.PointAt(&pod);
  of_node.PointAt(&node);
  cel::Activation activation;
  activation.Bind("pod", of_pod.value()).Bind("node", of_node.value());
  cel::Budget budget;
  return program->Run(activation, budget);
}

// For random pods and changing nodes, the value of a class equals the value for the node itself.
TEST(NodeClasses, AgreeWithUndividedExpression) {
  constexpr std::string_view kExpressions[] = {
      "node.metadata.labels['a'] == pod.metadata.labels['a']",
      "'a' in node.metadata.labels && node.metadata.labels['a'] != pod.metadata.labels['b']",
      "size(node.metadata.name) + size(pod.metadata.name)",
      "node.metadata.labels.all(k, k in pod.metadata.labels)",
      "node.spec.taints.all(x, pod.spec.tolerations.exists(t, t.key == x.key))",
      "pod.metadata.labels.exists(k, node.metadata.labels[k] == pod.metadata.labels[k])",
      "node.status.allocatable['cpu'].compareTo(quantity(pod.metadata.labels['cpu']))",
      "has(node.status.nodeInfo.kubeletVersion) ? node.metadata.name : pod.metadata.name",
      "[node].exists(n, n.metadata.name == pod.metadata.name)",
      "node.metadata.name",
      "pod.metadata.name",
      "1 + 1",
  };
  std::mt19937 random(20);
  const auto roll = [&](uint32_t sides) { return static_cast<uint32_t>(random() % sides); };
  const auto word = [&] { return std::string(1, static_cast<char>('x' + roll(3))); };
  TestCluster cluster;
  const auto put = [&](uint32_t number) {
    NodeBuilder node = MakeNode("n" + std::to_string(number));
    if (roll(3) > 0) node.Label("a", word());
    if (roll(3) > 0) node.Label("b", word());
    if (roll(2) > 0) node.Taint(word(), "", "NoSchedule");
    node.Allocatable("cpu=" + std::to_string(1 + roll(3)));
    cluster.Add(node);
  };
  for (uint32_t i = 0; i < 8; ++i) put(i);
  for (const std::string_view text : kExpressions) {
    const Expression expression = MakeExpression(text);
    NodeClasses kinds;
    for (int round = 0; round < 100; ++round) {
      put(roll(12));
      auto pod = MakePod(roll(2) > 0 ? "n1" : "n22").Label("cpu", "2").Toleration(word());
      if (roll(2) > 0) pod.Label("a", word());
      if (roll(2) > 0) pod.Label("b", word());
      cel::Budget budget;
      BoundExpression bound(expression, pod.raw(), budget);
      ByClass<std::string> known;
      const auto show = [](const cel::Value& value) {
        return value.IsError() ? "error: " + value.AsError().message : cel::ToText(value);
      };
      for (const Slot slot : cluster.snapshot().Order()) {
        const NodeInfo& node = cluster.snapshot().At(slot);
        const auto kind = kinds.Of(node, expression, budget);
        ASSERT_TRUE(kind.has_value());
        EXPECT_EQ(known.Of(*kind, [&] { return show(bound.For(kind->values, budget)); }),
                  show(Whole(text, pod.raw(), *node.node)))
            << text << " for " << node.name.text();
      }
    }
  }
}

}  // namespace
}  // namespace berth::scheduler
