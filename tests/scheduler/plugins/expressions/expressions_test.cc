// SPDX-License-Identifier: Apache-2.0
#include "scheduler/plugins/expressions/expressions.h"

#include <gmock/gmock.h>

#include "base/json/json.h"
#include "tests/scheduler/testing/test_cluster.h"

namespace berth::scheduler {
namespace {

using testing::Cycle;
using testing::FilterAll;
using ::testing::HasSubstr;
using testing::MakeNode;
using testing::MakePod;
using testing::NodeBuilder;
using testing::NodeChange;
using testing::PodBuilder;
using testing::PodChange;
using testing::ScoreAll;
using testing::TestCluster;
using testing::Text;
using Answers = std::map<std::string, std::string>;

std::string FilterArgs(const std::string& expression, const std::string& message = "") {
  return R"({"filters":[{"expression":)" + json::Quoted(expression) + R"(,"message":)" +
         json::Quoted(message) + "}]}";
}

std::string ScoreArgs(const std::string& expression, const std::string& normalizer = "None") {
  return R"({"scores":[{"expression":)" + json::Quoted(expression) + R"(}],"normalizer":")" +
         normalizer + "\"}";
}

Answers AnswersFor(const std::string& args, const PodBuilder& pod) {
  TestCluster cluster;
  cluster.Add(MakeNode("n").Label("disk", "nvme")).Add(MakeNode("m"));
  Cycle cycle(cluster, pod);
  return FilterAll(*cluster.Plugin<Expressions>(args), cycle);
}

constexpr const char* kUnresolvable = "UnschedulableAndUnresolvable: ";

TEST(Expressions, FilterAdmitsNodesForWhichItIsTrue) {
  EXPECT_EQ(AnswersFor(FilterArgs("'disk' in node.metadata.labels"), MakePod("p")),
            (Answers{{"n", "Success"},
                     {"m", std::string(kUnresolvable) +
                               "node(s) didn't satisfy 'disk' in node.metadata.labels"}}));
  EXPECT_EQ(
      AnswersFor(FilterArgs("node.metadata.labels['disk'] == 'nvme'", "slow disk"), MakePod("p")),
      (Answers{{"n", "Success"},
               {"m", std::string(kUnresolvable) +
                         "node.metadata.labels['disk'] == 'nvme': no such key: disk"}}));
  EXPECT_EQ(AnswersFor(FilterArgs("node.metadata.name == 'n'", "{{ pod.metadata.name }} wants n"),
                       MakePod("p"))
                .at("m"),
            std::string(kUnresolvable) + "p wants n");
}

// Filter evaluates once per node class, Hint evaluates for the node itself.
TEST(Expressions, FilterAndHintAgree) {
  const struct {
    const char* expression;
    bool of_none, of_empty, of_x, of_y;  // the value for a node with this label a
  } kRows[] = {
      {"'a' in node.metadata.labels", false, true, true, true},
      {"!('a' in node.metadata.labels)", true, false, false, false},
      {"node.metadata.labels['a'] == 'x'", false, false, true, false},
      {"'x' == node.metadata.labels['a']", false, false, true, false},
      {"node.metadata.labels['a'] != 'x'", false, true, false, true},
      {"node.metadata.labels['a'] == ''", false, true, false, false},
      {"node.metadata.labels['a'] != ''", false, false, true, true},
      {"node.metadata.labels['a'] == 'nowhere'", false, false, false, false},
      {"node.metadata.labels.a == 'x'", false, false, true, false},
      {"node.metadata.labels['a'] in ['x', 'z']", false, false, true, false},
      {"node.metadata.annotations['a'] == 'x'", false, false, false, false},
      {"node.metadata.name == 'x'", false, false, true, false},
  };
  TestCluster cluster;
  const std::map<std::string, NodeBuilder> nodes = {{"none", MakeNode("none")},
                                                    {"empty", MakeNode("empty").Label("a", "")},
                                                    {"x", MakeNode("x").Label("a", "x")},
                                                    {"y", MakeNode("y").Label("a", "y")}};
  for (const auto& [name, node] : nodes) cluster.Add(node);
  for (const auto& row : kRows) {
    const auto plugin = cluster.Plugin<Expressions>(FilterArgs(row.expression));
    Cycle cycle(cluster, MakePod("p"));
    const std::map<std::string, bool> expected = {
        {"none", row.of_none}, {"empty", row.of_empty}, {"x", row.of_x}, {"y", row.of_y}};
    for (const auto& [name, node] : nodes) {
      EXPECT_EQ(plugin->Filter(cycle.context(), cluster.View(name)).fits(), expected.at(name))
          << row.expression << " of " << name;
      EXPECT_EQ(plugin->Hint(cycle.pod(), {Resource::kNode, action::kAdd, {}},
                             NodeChange(nullptr, &node)) == QueueingHint::kQueue,
                expected.at(name))
          << row.expression << " of " << name;
    }
  }
}

TEST(Expressions, PodOnlyFilterIsDecidedInPreFilter) {
  const std::string args = FilterArgs("size(pod.metadata.name) <\n   5");
  EXPECT_EQ(AnswersFor(args, MakePod("fives")).at(""),
            std::string(kUnresolvable) + "the pod didn't satisfy size(pod.metadata.name) < 5");
  TestCluster cluster;
  cluster.Add(MakeNode("n"));
  Cycle cycle(cluster, MakePod("four"));
  const auto plugin = cluster.Plugin<Expressions>(args);
  EXPECT_EQ(plugin->PreFilter(cycle.context()).status.code, Code::kSkip);
  EXPECT_TRUE(plugin->Filter(cycle.context(), cluster.View("n")).fits());
  Cycle other(cluster, MakePod("fives"));
  EXPECT_FALSE(plugin->Filter(other.context(), cluster.View("n")).fits())
      << "a profile may enable Filter alone";
}

TEST(Expressions, ReportsFirstRejectingFilter) {
  const std::string args =
      R"({"filters":[{"expression":"node.metadata.name != 'x'","message":"first"},)"
      R"({"expression":"node.metadata.name == 'm'","message":"second"},)"
      R"({"expression":"node.metadata.name == 'q'","message":"third"}]})";
  EXPECT_EQ(AnswersFor(args, MakePod("p")), (Answers{{"n", std::string(kUnresolvable) + "second"},
                                                     {"m", std::string(kUnresolvable) + "third"}}));
}

TEST(Expressions, ReportsErrorsAndInternsAtMost256) {
  TestCluster cluster;
  for (int i = 0; i < 300; ++i) cluster.Add(MakeNode("n" + std::to_string(i)));
  const auto plugin =
      cluster.Plugin<Expressions>(FilterArgs("node.metadata.labels[node.metadata.name] == ''"));
  Cycle cycle(cluster, MakePod("p"));
  size_t lasting = 0;
  for (int i = 0; i < 300; ++i) {
    const std::string name = "n" + std::to_string(i);
    const Verdict verdict = plugin->Filter(cycle.context(), cluster.View(name));
    EXPECT_THAT(Text(verdict), HasSubstr("no such key: " + name));
    if (verdict.IsLasting()) ++lasting;
  }
  EXPECT_EQ(lasting, 256u) << "the number of interned texts is limited";
}

TEST(Expressions, SumsAndRoundsScores) {
  const struct {
    std::string args;
    int64_t n, node13;
  } kRows[] = {
      {ScoreArgs("20 - size(node.metadata.name)"), 19, 14},
      {ScoreArgs("200"), 100, 100},
      {ScoreArgs("-7"), 0, 0},
      {ScoreArgs("7.9"), 7, 7},
      {ScoreArgs("0.1", "Linear"), 100, 100},
      {ScoreArgs("double(size(node.metadata.name)) / 10.0", "Linear"), 100, 600},
      {ScoreArgs("size(node.metadata.name)", "Reversed"), 1, 6},
      {ScoreArgs("-size(node.metadata.name)", "Linear"), 0, 0},
      {ScoreArgs("-size(node.metadata.name)", "MinMax"), -1, -6},
      {ScoreArgs("1.0 / 0.0"), 100, 100},
      {ScoreArgs("-1.0 / 0.0", "MinMax"), -9'000'000'000'000'000, -9'000'000'000'000'000},
      {ScoreArgs("1.0 / 0.0", "Linear"), 9'000'000'000'000'000, 9'000'000'000'000'000},
      {R"json({"scores":[{"expression":"1"},{"expression":"size(node.metadata.name)","weight":3}]})json",
       4, 19},
      {R"({"scores":[{"expression":"node.metadata.labels['x'] == '' ? 1 : 2"},)"
       R"({"expression":"5"}]})",
       5, 5},
  };
  for (const auto& row : kRows) {
    TestCluster cluster;
    cluster.Add(MakeNode("n")).Add(MakeNode("node13"));
    Cycle cycle(cluster, MakePod("p"));
    const auto scores = ScoreAll(*cluster.Plugin<Expressions>(row.args), cycle);
    EXPECT_EQ(scores.at("n"), row.n) << row.args;
    EXPECT_EQ(scores.at("node13"), row.node13) << row.args;
  }
}

TEST(Expressions, MapsNormalizerArgument) {
  TestCluster cluster;
  const auto normalizer = [&](const char* name) {
    return cluster.Plugin<Expressions>(ScoreArgs("1", name))->normalizer();
  };
  EXPECT_EQ(normalizer("None"), Normalizer::kNone);
  EXPECT_EQ(normalizer("Linear"), Normalizer::kDefault);
  EXPECT_EQ(normalizer("Reversed"), Normalizer::kDefaultReversed);
  EXPECT_EQ(normalizer("MinMax"), Normalizer::kMinMax);
}

TEST(Expressions, CountsFailedScores) {
  TestCluster cluster;
  cluster.Add(MakeNode("n")).Add(MakeNode("m").Label("weight", "3"));
  PluginCounts counts;
  PluginHandle handle = cluster.handle();
  handle.counts = &counts;
  const auto scores = [&](const char* expression) {
    auto made = Expressions::Descriptor().create({ScoreArgs(expression)}, handle);
    EXPECT_TRUE(made.has_value()) << made.error().message();
    Cycle cycle(cluster, MakePod("p"));
    return ScoreAll(**made, cycle);
  };
  EXPECT_EQ(scores("int(node.metadata.labels['weight'])"),
            (std::map<std::string, int64_t>{{"n", 0}, {"m", 3}}));
  EXPECT_EQ(counts.failed_scores, 1u);
  scores("0.0 / 0.0");
  EXPECT_EQ(counts.failed_scores, 3u) << "NaN is not a number";
}

TEST(Expressions, CachesOnlyIfAllFieldsAreTracked) {
  TestCluster cluster;
  cluster.Add(MakeNode("n"));
  const auto key = [&](const std::string& args, const char* pod) {
    Cycle cycle(cluster, MakePod(pod));
    const ResultKey found = cluster.Plugin<Expressions>(args)->KeyOf(cycle.context());
    return found.usable() ? std::optional(found.text()) : std::nullopt;
  };
  const std::string short_names = FilterArgs("size(pod.metadata.name) < 5");
  EXPECT_EQ(key(short_names, "a"), key(short_names, "b"));
  EXPECT_NE(key(short_names, "a"), key(short_names, "longer"));
  EXPECT_EQ(key(ScoreArgs("size(node.metadata.name)"), "a"), "");
  EXPECT_EQ(key(ScoreArgs("size(node.status.images)"), "a"), std::nullopt);
}

TEST(Expressions, HintQueuesPodIfNodeFitsNow) {
  TestCluster cluster;
  const auto plugin = cluster.Plugin<Expressions>(
      FilterArgs("node.metadata.labels['disk'] == pod.metadata.labels['disk']"));
  const auto pod = MakePod("p").Label("disk", "nvme").Info(cluster.words());
  const NodeBuilder good = MakeNode("n").Label("disk", "nvme");
  const NodeBuilder good_too = MakeNode("n").Label("disk", "nvme").Label("a", "b");
  const NodeBuilder bad = MakeNode("n").Label("disk", "hdd");
  const NodeBuilder without = MakeNode("n");
  const auto hint = [&](const NodeBuilder* before, const NodeBuilder* after) {
    const auto action = before == nullptr ? action::kAdd : action::kUpdateNodeLabel;
    return plugin->Hint(*pod, {Resource::kNode, action, {}}, NodeChange(before, after));
  };
  EXPECT_EQ(hint(nullptr, &good), QueueingHint::kQueue);
  EXPECT_EQ(hint(nullptr, &bad), QueueingHint::kSkip);
  EXPECT_EQ(hint(nullptr, &without), QueueingHint::kSkip);
  EXPECT_EQ(hint(&bad, &good), QueueingHint::kQueue);
  EXPECT_EQ(hint(&without, &good), QueueingHint::kQueue);
  EXPECT_EQ(hint(&good, &bad), QueueingHint::kSkip);
  EXPECT_EQ(hint(&good, &good_too), QueueingHint::kSkip) << "the node fitted before";
}

TEST(Expressions, HintQueuesPodIfFieldsReadChanged) {
  TestCluster cluster;
  const auto plugin = cluster.Plugin<Expressions>(
      R"({"filters":[{"expression":"'owner' in pod.metadata.labels"},)"
      R"({"expression":"node.metadata.name != pod.metadata.annotations['avoid']"}]})");
  const auto hint = [&](const PodBuilder& before, const PodBuilder& after) {
    EventObjects objects;
    objects.old_pod = before.Info(cluster.words());
    objects.new_pod = after.Info(cluster.words());
    return plugin->Hint(*objects.new_pod->pending(), {Resource::kTargetPod, action::kUpdate, {}},
                        objects);
  };
  const PodBuilder plain = MakePod("p");
  const PodBuilder owned = MakePod("p").Label("owner", "me");
  const PodBuilder owned_too = MakePod("p").Label("owner", "me").Label("more", "");
  PodBuilder avoiding = owned;
  avoiding.raw().metadata.annotations["avoid"] = "n";
  EXPECT_EQ(hint(plain, owned), QueueingHint::kQueue);
  EXPECT_EQ(hint(owned, avoiding), QueueingHint::kQueue);
  EXPECT_EQ(hint(owned, plain), QueueingHint::kSkip);
  EXPECT_EQ(hint(owned, owned_too), QueueingHint::kSkip);
}

TEST(Expressions, BudgetFailsAttemptAndNextAttemptGetsFurther) {
  TestCluster cluster;
  constexpr int kNodes = 350;
  for (int i = 0; i < kNodes; ++i) {
    NodeBuilder node = MakeNode("n" + std::to_string(i));
    for (int k = 0; k < 100; ++k) node.Taint("t" + std::to_string(k), "", "NoSchedule");
    cluster.Add(node);
  }
  const auto plugin = cluster.Plugin<Expressions>(
      FilterArgs("node.spec.taints.all(a, node.spec.taints.all(b, a.key != '' && b.key != ''))"));
  std::vector<int> admitted;  // by attempt
  std::string last;
  do {
    Cycle cycle(cluster, MakePod("p"));
    plugin->PreFilter(cycle.context());
    admitted.push_back(0);
    for (int i = 0; i < kNodes; ++i) {
      last = Text(plugin->Filter(cycle.context(), cluster.View("n" + std::to_string(i))));
      if (last != "Success") break;
      ++admitted.back();
    }
    if (last == "Success") break;
    EXPECT_THAT(last, HasSubstr("Error: the filters of Expressions exceeded the cost budget of a "
                                "scheduling attempt, 20000000 units; last expression: "
                                "node.spec.taints.all("));
  } while (admitted.size() < 20);
  EXPECT_GT(admitted.size(), 1u);
  EXPECT_EQ(last, "Success");
  EXPECT_TRUE(std::ranges::is_sorted(admitted));
}

TEST(Expressions, ReevaluatesChangedNode) {
  TestCluster cluster;
  const auto plugin = cluster.Plugin<Expressions>(
      R"({"filters":[{"expression":"node.metadata.labels['a'] == 'x'"}],)"
      R"("scores":[{"expression":"size(node.metadata.labels) + size(pod.metadata.name) + 0"}]})");
  const auto ask = [&](const NodeBuilder& node) {
    cluster.Add(node);
    Cycle cycle(cluster, MakePod("p"));
    plugin->PreFilter(cycle.context());
    const bool fits = plugin->Filter(cycle.context(), cluster.View("n")).fits();
    return std::pair(fits, plugin->Score(cycle.context(), cluster.View("n")));
  };
  EXPECT_EQ(ask(MakeNode("n").Label("a", "x")), std::pair(true, int64_t{2}));
  EXPECT_EQ(ask(MakeNode("n").Label("a", "y")), std::pair(false, int64_t{2}));
  EXPECT_EQ(ask(MakeNode("n").Label("a", "x").Label("b", "")), std::pair(true, int64_t{3}));
  EXPECT_EQ(ask(MakeNode("n")), std::pair(false, int64_t{1}));
}

TEST(Expressions, ValidatesArgs) {
  const auto errors = Expressions::Descriptor().check(
      {R"({"filters":[{"expression":"true"},{"expression":"size(pod.metadata.nam) < 5"}],)"
       R"("scores":[{"expression":"'a'","weight":0}],"normalizer":"Lin"})"});
  ASSERT_EQ(errors.size(), 4u);
  EXPECT_EQ(errors[0].path, "filters[1].expression");
  EXPECT_EQ(errors[0].detail,
            "ERROR: <input>:1:18: undefined field 'nam'; nearest: name\n"
            " | size(pod.metadata.nam) < 5\n"
            " | .................^");
  EXPECT_EQ(errors[1].path, "scores[0].expression");
  EXPECT_EQ(errors[2].ToString(),
            "scores[0].weight: Invalid value: 0: not in valid range [1-1000]");
  EXPECT_THAT(errors[3].ToString(), HasSubstr("normalizer: Unsupported value: \"Lin\""));
  const auto message = Expressions::Descriptor().check({FilterArgs("true", "{{ node }}")});
  ASSERT_EQ(message.size(), 1u);
  EXPECT_EQ(message[0].path, "filters[0].message");
  EXPECT_TRUE(Expressions::Descriptor().check({"{}"}).empty());
}

}  // namespace
}  // namespace berth::scheduler
