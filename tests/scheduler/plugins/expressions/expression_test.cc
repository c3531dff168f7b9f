// SPDX-License-Identifier: Apache-2.0
#include "scheduler/plugins/expressions/expression.h"

#include <gmock/gmock.h>

#include "cel/convert.h"
#include "scheduler/plugins/expressions/expression_manual.h"
#include "tests/scheduler/testing/builders.h"

namespace berth::scheduler {
namespace {

using ::testing::HasSubstr;
using testing::MakeNode;
using testing::MakePod;
using ResultType = Expression::ResultType;

std::string ErrorOf(std::string_view text, ResultType gives = ResultType::kBool) {
  const auto expression = Expression::Create(text, gives);
  return expression ? "compiled" : expression.error().message();
}

Expression Make(std::string_view text) {
  auto expression = Expression::Create(text, ResultType::kAnything);
  EXPECT_TRUE(expression.has_value()) << expression.error().message();
  return *expression;
}

std::string ValueFor(std::string_view text, const api::Pod& pod, const api::Node& node) {
  const Expression expression = Make(text);
  cel::Budget budget;
  const cel::Value value = BoundExpression(expression, pod, budget).For(node, budget);
  return value.IsError() ? "error: " + value.AsError().message : cel::ToText(value);
}

TEST(Expression, ReadsPodAndNode) {
  const struct {
    const char* text;
    const char* value;
  } kRows[] = {
      {"size(pod.metadata.name) < 5", "true"},
      {"20 - size(node.metadata.name)", "15"},
      {"node.metadata.labels['cpu'] == 'true'", "true"},
      {"node.metadata.labels['gpu'] == 'true'", "error: no such key: gpu"},
      {"'gpu' in node.metadata.labels && node.metadata.labels['gpu'] == 'true'", "false"},
      {"quantity(node.status.allocatable['cpu']).isGreaterThan(quantity('3'))", "true"},
      {"node.status.allocatable['memory'].asApproximateFloat() / 1024.0", "1.048576e+06"},
      {"node.status.allocatable['cpu'].asInteger() * 2", "8"},
      {"pod.spec.containers.map(c, c.resources.requests['cpu'].asApproximateFloat()).sum()", "2.5"},
      {"pod.spec.containers.exists(c, c.resources.requests['cpu'].isGreaterThan("
       "node.status.allocatable['cpu']))",
       "false"},
      {"node.spec.taints.all(x, pod.spec.tolerations.exists(t, t.key == x.key))", "true"},
      {"pod.metadata.namespace + '/' + pod.metadata.name", "default/four"},
      {"pod.spec.priority", "error: no such key: priority"},
      {"has(pod.spec.priority) ? pod.spec.priority : 0", "0"},
      {"pod.spec.affinity.nodeAffinity.preferredDuringSchedulingIgnoredDuringExecution.size()",
       "0"},
      {"node.spec.unschedulable", "false"},
      {"semver(node.status.nodeInfo.kubeletVersion, true).isGreaterThan(semver('1.35.9'))", "true"},
      {"node.metadata.name.startsWith(pod.metadata.labels['app'])", "true"},
  };
  auto node = MakeNode("node1").Allocatable("cpu=4,memory=1Gi").Label("cpu", "true");
  node.Taint("special", "", "NoSchedule");
  node.raw().status.node_info.Edit().kubelet_version = "v1.36.3";
  auto pod = MakePod("four").Requests("cpu=2").Requests("cpu=500m").Label("app", "no");
  pod.Toleration("special");
  for (const auto& row : kRows) {
    EXPECT_EQ(ValueFor(row.text, pod.raw(), node.raw()), row.value) << row.text;
  }
}

TEST(Expression, ErrorsNameCauseAndPosition) {
  EXPECT_EQ(ErrorOf("size(pod.metadata.nam) < 5"),
            "ERROR: <input>:1:18: undefined field 'nam'; nearest: name\n"
            " | size(pod.metadata.nam) < 5\n"
            " | .................^");
  EXPECT_EQ(ErrorOf("pod.metadata.name < 5"),
            "ERROR: <input>:1:19: found no matching overload for '_<_' applied to "
            "'(string, int)'\n"
            " | pod.metadata.name < 5\n"
            " | ..................^");
  EXPECT_EQ(ErrorOf("20 - size(node.metadata.name)"),
            "ERROR: <input>:1:4: must evaluate to bool, but evaluates to int\n"
            " | 20 - size(node.metadata.name)\n"
            " | ...^");
  EXPECT_THAT(ErrorOf("pod.metadata.name", ResultType::kNumber),
              HasSubstr("must evaluate to int or double, but evaluates to string"));
  EXPECT_EQ(ErrorOf("1.5", ResultType::kNumber), "compiled");
  EXPECT_THAT(ErrorOf("nodes.metadata.name == ''"), HasSubstr("nearest: node"));
  EXPECT_THAT(ErrorOf("node.status.volumesInUse.size() > 0"),
              HasSubstr("undefined field 'volumesInUse'; known: addresses, allocatable, "));
  EXPECT_THAT(ErrorOf("size(pod.metadata.name) <"), HasSubstr("Syntax error"));
  EXPECT_THAT(ErrorOf(""), HasSubstr("Syntax error"));
  EXPECT_THAT(ErrorOf("pod.spec.containers.all(a, pod.spec.containers.all(b, "
                      "pod.spec.containers.all(c, a.name != b.name)))"),
              HasSubstr("estimated to cost "));
  EXPECT_EQ(ErrorOf("pod.spec.tolerations.all(a, node.spec.taints.all(b, a.key != b.key))"),
            "compiled");
}

TEST(Expression, ReportsFieldsRead) {
  EXPECT_FALSE(Make("size(pod.metadata.name) < 5").reads_node());
  EXPECT_TRUE(Make("size(node.metadata.name) < 5").reads_node());
  EXPECT_FALSE(Make("[1].all(node, node == 1)").reads_node());
  for (const char* text : {"node.metadata.name", "node.metadata.labels['a']",
                           "node.spec.taints[0].key", "pod", "node.status.allocatable",
                           "node.status.nodeInfo.kubeletVersion", "has(node.spec.taints)"}) {
    EXPECT_TRUE(Make(text).is_tracked()) << text;
  }
  for (const char* text : {"node", "node.metadata", "node.status", "node.status.images",
                           "node.status.conditions.exists(c, c.type == 'Ready')",
                           "node.metadata.resourceVersion", "[node].map(n, n.metadata.name)"}) {
    EXPECT_FALSE(Make(text).is_tracked()) << text;
  }
}

TEST(BoundExpression, PodsWithEqualPartsAddEqualKeys) {
  const auto key = [](const char* text, const testing::PodBuilder& pod) {
    const Expression expression = Make(text);
    cel::Budget budget;
    KeyText added;
    const auto object = pod.Build();
    BoundExpression(expression, *object, budget).AddTo(added);
    return added.Take();
  };
  const auto a = MakePod("a").Label("app", "x").Requests("cpu=1");
  const auto b = MakePod("b").Label("app", "x").Requests("cpu=1000m");
  const auto longer = MakePod("longer").Label("app", "y").Requests("cpu=2");
  const struct {
    const char* text;
    bool same_ab, same_al;
  } kRows[] = {
      {"size(node.metadata.name) > 3", true, true},
      {"size(pod.metadata.name) < 5", true, false},
      {"pod.metadata.name == node.metadata.name", false, false},
      {"pod.metadata.labels['app'] == node.metadata.name", true, false},
      {"pod.metadata.labels['none'] == node.metadata.name", true, true},
      {"pod.metadata.labels == node.metadata.labels", true, false},
      {"pod.spec.containers.all(c, c.name in node.metadata.labels)", true, false},
      {"pod.spec.containers.exists(c, c.resources.requests['cpu'] == quantity('1')) ||"
       " node.metadata.name == ''",
       true, false},
  };
  for (const auto& row : kRows) {
    EXPECT_EQ(key(row.text, a) == key(row.text, b), row.same_ab) << row.text;
    EXPECT_EQ(key(row.text, a) == key(row.text, longer), row.same_al) << row.text;
  }
}

TEST(BoundExpression, PodOnlyExpressionIsEvaluatedOnce) {
  const Expression expression = Make("size(pod.metadata.name) < 5");
  const auto pod = MakePod("four").Build();
  const auto node = MakeNode("n").Build();
  cel::Budget budget;
  BoundExpression bound(expression, *pod, budget);
  ASSERT_NE(bound.fixed(), nullptr);
  EXPECT_TRUE(bound.fixed()->IsTrue());
  const uint64_t spent = budget.spent();
  EXPECT_GT(spent, 0u);
  EXPECT_TRUE(bound.For(*node, budget).IsTrue());
  EXPECT_EQ(budget.spent(), spent);
}

TEST(BoundExpression, FailsIfEvaluationExceedsCostLimit) {
  const Expression expression =
      Make("node.spec.taints.all(a, node.spec.taints.all(b, a.key != b.value))");
  auto node = MakeNode("n");
  for (int i = 0; i < 300; ++i) node.Taint("t" + std::to_string(i), "", "NoSchedule");
  const auto pod = MakePod("p").Build();
  cel::Budget budget(kAttemptLimit, 1000);
  const cel::Value value = BoundExpression(expression, *pod, budget).For(node.raw(), budget);
  ASSERT_TRUE(value.IsError());
  EXPECT_EQ(value.AsError().message, "operation cancelled: actual cost limit exceeded");
}

TEST(ExpressionManual, ListsFieldsMacrosAndFunctions) {
  const std::string manual = ExpressionManual();
  for (const char* part :
       {"node.metadata: annotations {string: string}, creationTimestamp timestamp",
        "allocatable {string: quantity}", "tolerations [{}]", "name string, namespace string",
        "containers [{}]", "initContainers [{}] as pod.spec.containers[]", "exists_one",
        "port int or string", "\n  string.startsWith(string) bool\n",
        "\n  quantity.isGreaterThan(quantity) bool, semver.isGreaterThan(semver) bool\n",
        "[[A]].flatten() [A], [dyn].flatten(int) [dyn]"}) {
    EXPECT_THAT(manual, HasSubstr(part));
  }
}

}  // namespace
}  // namespace berth::scheduler
