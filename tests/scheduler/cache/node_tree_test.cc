// SPDX-License-Identifier: Apache-2.0
#include "scheduler/cache/node_tree.h"

#include <gtest/gtest.h>

#include "tests/scheduler/testing/builders.h"

namespace berth::scheduler {
namespace {

using testing::MakeNode;

std::vector<Slot> Listed(const NodeTree& tree) {
  std::vector<Slot> slots;
  tree.List(slots);
  return slots;
}

TEST(NodeTree, ListsRoundRobinOverZonesInOrderOfArrival) {
  NodeTree tree;
  for (const auto& [slot, zone] : std::vector<std::pair<Slot, std::string>>{
           {0, "b"}, {1, "b"}, {2, "a"}, {3, ""}, {4, "b"}, {5, "a"}}) {
    EXPECT_TRUE(tree.Put(slot, zone));
  }
  EXPECT_EQ(Listed(tree), (std::vector<Slot>{0, 2, 3, 1, 5, 4}));
}

TEST(NodeTree, UnchangedZoneKeepsThePosition) {
  NodeTree tree;
  tree.Put(0, "a");
  tree.Put(1, "a");
  EXPECT_FALSE(tree.Put(0, "a"));
  EXPECT_EQ(Listed(tree), (std::vector<Slot>{0, 1}));
}

TEST(NodeTree, ChangedZoneMovesTheNodeToItsEnd) {
  NodeTree tree;
  tree.Put(0, "a");
  tree.Put(1, "a");
  tree.Put(2, "b");
  EXPECT_TRUE(tree.Put(0, "b"));
  EXPECT_EQ(Listed(tree), (std::vector<Slot>{1, 2, 0}));
}

TEST(NodeTree, EmptyZoneIsRemovedAndReturnsAtTheEnd) {
  NodeTree tree;
  tree.Put(0, "a");
  tree.Put(1, "b");
  EXPECT_TRUE(tree.Remove(0));
  EXPECT_FALSE(tree.Remove(0));
  tree.Put(2, "a");
  EXPECT_EQ(Listed(tree), (std::vector<Slot>{1, 2}));
}

struct ZoneRow {
  api::StringMap labels;
  std::string key;
};

TEST(ZoneKeyOf, DeprecatedLabelsTakePrecedence) {
  const std::string beta = "failure-domain.beta.kubernetes.io/";
  const std::string current = "topology.kubernetes.io/";
  using namespace std::string_literals;
  const std::vector<ZoneRow> rows = {
      {{}, ""},
      {{{current + "zone", "z"}}, "\0z"s},
      {{{current + "region", "r"}}, "r\0"s},
      {{{current + "region", "r"}, {current + "zone", "z"}}, "r\0z"s},
      {{{beta + "zone", "old"}, {current + "zone", "z"}}, "\0old"s},
      {{{beta + "region", "old"}, {current + "region", "r"}, {current + "zone", "z"}}, "old\0z"s},
      {{{beta + "zone", ""}, {current + "zone", "z"}}, ""},
  };
  for (const ZoneRow& row : rows) {
    auto node = MakeNode("n");
    for (const auto& [key, value] : row.labels) node.Label(key, value);
    EXPECT_EQ(ZoneKeyOf(*node.Build()), row.key);
  }
}

}  // namespace
}  // namespace berth::scheduler
