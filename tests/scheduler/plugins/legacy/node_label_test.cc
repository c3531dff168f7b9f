// SPDX-License-Identifier: Apache-2.0
#include "scheduler/plugins/legacy/node_label.h"

#include <string>

#include <gtest/gtest.h>

#include "base/strings.h"
#include "tests/scheduler/testing/test_cluster.h"

namespace berth::scheduler {
namespace {

using testing::Cycle;
using testing::FilterAll;
using testing::MakeNode;
using testing::MakePod;
using testing::NodeBuilder;
using testing::NodeChange;
using testing::ScoreAll;
using testing::TestCluster;

constexpr const char* kWrongLabels =
    "UnschedulableAndUnresolvable: node(s) didn't have the requested labels";

// Returns the node "n" with these labels: "a b=1".
NodeBuilder NodeWith(const std::string& labels) {
  NodeBuilder node = MakeNode("n");
  for (const auto part : Split(labels, ' ')) {
    const std::string label(part);
    const size_t equals = label.find('=');
    if (label.empty()) continue;
    node.Label(label.substr(0, equals),
               equals == std::string::npos ? "" : label.substr(equals + 1));
  }
  return node;
}

TEST(NodeLabel, FiltersByPresentAndAbsentLabels) {
  const struct {
    const char* args;
    const char* labels;
    bool fits;
  } kRows[] = {
      {"{}", "", true},
      {"{}", "a=1", true},
      {R"({"presentLabels":["a"]})", "a=1", true},
      {R"({"presentLabels":["a"]})", "a=2 b=1", true},
      {R"({"presentLabels":["a"]})", "a", true},  // without a value
      {R"({"presentLabels":["a"]})", "b=1", false},
      {R"({"presentLabels":["a"]})", "", false},
      {R"({"presentLabels":["a","b"]})", "a=1", false},
      {R"({"presentLabels":["a","b"]})", "b=1 a=1", true},
      {R"({"presentLabels":["a","a"]})", "a=1", true},
      {R"({"absentLabels":["a"]})", "b=1", true},
      {R"({"absentLabels":["a"]})", "a", false},
      {R"({"absentLabels":["a","b"]})", "b=1", false},
      {R"({"absentLabels":["a","b"]})", "c=1", true},
      {R"({"presentLabels":["a"],"absentLabels":["b"]})", "a=1", true},
      {R"({"presentLabels":["a"],"absentLabels":["b"]})", "a=1 b=1", false},
      {R"({"presentLabels":["a"],"absentLabels":["b"]})", "c=1", false},
      {R"({"presentLabelsPreference":["a"]})", "", true},
  };
  for (const auto& row : kRows) {
    TestCluster cluster;
    cluster.Add(NodeWith(row.labels));
    Cycle cycle(cluster, MakePod("p"));
    EXPECT_EQ(FilterAll(*cluster.Plugin<NodeLabel>(row.args), cycle).at("n"),
              row.fits ? "Success" : kWrongLabels)
        << row.args << " of a node with " << row.labels;
  }
}

TEST(NodeLabel, ScoresShareOfPreferences) {
  const struct {
    const char* args;
    const char* labels;
    int64_t kept, of;  // the score is 100 * kept / of
  } kRows[] = {
      {R"({"presentLabelsPreference":["a"]})", "a=1", 1, 1},
      {R"({"presentLabelsPreference":["a"]})", "b=1", 0, 1},
      {R"({"absentLabelsPreference":["a"]})", "a=1", 0, 1},
      {R"({"absentLabelsPreference":["a"]})", "b=1", 1, 1},
      {R"({"presentLabelsPreference":["a","b"]})", "a=1", 1, 2},
      {R"({"presentLabelsPreference":["a","b","c"]})", "a=1", 1, 3},
      {R"({"presentLabelsPreference":["a","b","c"]})", "a=1 c", 2, 3},
      {R"({"presentLabelsPreference":["a"],"absentLabelsPreference":["b"]})", "a=1", 2, 2},
      {R"({"presentLabelsPreference":["a"],"absentLabelsPreference":["b"]})", "a=1 b=1", 1, 2},
      {R"({"presentLabelsPreference":["a"],"absentLabelsPreference":["b"]})", "b=1", 0, 2},
      {R"({"presentLabelsPreference":["a","b"],"absentLabelsPreference":["c","d","e","f","g"]})",
       "b c g", 4, 7},
      {R"({"presentLabelsPreference":["a","a","b"]})", "a=1", 2, 3},  // listed twice, counts twice
      {R"({"presentLabels":["a"]})", "a=1", 0, 1},                    // no preferences
  };
  for (const auto& row : kRows) {
    TestCluster cluster;
    cluster.Add(NodeWith(row.labels));
    Cycle cycle(cluster, MakePod("p"));
    EXPECT_EQ(ScoreAll(*cluster.Plugin<NodeLabel>(row.args), cycle).at("n"),
              100 * row.kept / row.of)
        << row.args << " of a node with " << row.labels;
  }
}

TEST(NodeLabel, RejectsConflictingLabels) {
  const auto errors = NodeLabel::Descriptor().check(
      {R"({"presentLabels":["a","b"],"absentLabels":["c","b"],)"
       R"("presentLabelsPreference":["c"],"absentLabelsPreference":["c"]})"});
  ASSERT_EQ(errors.size(), 2u);
  EXPECT_EQ(errors[0].ToString(),
            "presentLabels[1]: Invalid value: \"b\": conflict with absentLabels[1]");
  EXPECT_EQ(errors[1].ToString(),
            "presentLabelsPreference[0]: Invalid value: \"c\": conflict with "
            "absentLabelsPreference[0]");
  EXPECT_TRUE(NodeLabel::Descriptor()
                  .check({R"({"presentLabels":["a"],"absentLabelsPreference":["a"]})"})
                  .empty());
}

TEST(NodeLabel, HintQueuesIfNodeFitsNow) {
  TestCluster cluster;
  const auto plugin = cluster.Plugin<NodeLabel>(R"({"presentLabels":["a"],"absentLabels":["b"]})");
  const auto pod = MakePod("p").Info(cluster.words());
  const NodeBuilder good = NodeWith("a=1");
  const NodeBuilder good_too = NodeWith("a=2 c=1");
  const NodeBuilder bad = NodeWith("a=1 b=1");
  const auto hint = [&](const NodeBuilder* before, const NodeBuilder* after) {
    const auto action = before == nullptr ? action::kAdd : action::kUpdateNodeLabel;
    return plugin->Hint(*pod, {Resource::kNode, action, {}}, NodeChange(before, after));
  };
  EXPECT_EQ(hint(nullptr, &good), QueueingHint::kQueue);
  EXPECT_EQ(hint(nullptr, &bad), QueueingHint::kSkip);
  EXPECT_EQ(hint(&bad, &good), QueueingHint::kQueue);
  EXPECT_EQ(hint(&good, &bad), QueueingHint::kSkip);
  EXPECT_EQ(hint(&good, &good_too), QueueingHint::kSkip) << "the node fitted before";
}

}  // namespace
}  // namespace berth::scheduler
