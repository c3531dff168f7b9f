// SPDX-License-Identifier: Apache-2.0
#include "scheduler/model/namespace_table.h"

#include <gtest/gtest.h>

#include "tests/scheduler/testing/builders.h"

namespace berth::scheduler {
namespace {

using testing::MakeNamespace;

class NamespaceTableTest : public ::testing::Test {
 protected:
  // Returns the label "team" of a namespace; "-" if there is no such namespace.
  std::string TeamOf(const std::string& name) const {
    const LabelSet* labels = table_.LabelsOf(words_.Find(name));
    if (labels == nullptr) return "-";
    return words_.Text(labels->Value(words_.Find("team")).value_or(kNoSymbol));
  }

  Vocabulary words_;
  NamespaceTable table_{words_};
};

TEST_F(NamespaceTableTest, ReturnsTheNewestLabelsByName) {
  EXPECT_EQ(TeamOf("a"), "-");
  EXPECT_TRUE(table_.Put(MakeNamespace("a", {{"team", "x"}})));
  EXPECT_FALSE(table_.Put(MakeNamespace("a", {{"team", "x"}}))) << "unchanged";
  EXPECT_TRUE(table_.Put(MakeNamespace("b"))) << "without labels, but new";
  EXPECT_TRUE(table_.Put(MakeNamespace("a", {{"team", "y"}})));
  EXPECT_EQ(TeamOf("a"), "y");
  EXPECT_EQ(TeamOf("b"), "");
  EXPECT_EQ(table_.all().size(), 2u);
}

TEST_F(NamespaceTableTest, RemoveReleasesTheStrings) {
  const size_t texts = words_.size();
  table_.Put(MakeNamespace("a", {{"team", "x"}}));
  EXPECT_EQ(table_.Remove("uid-a").value().text(), "a");
  EXPECT_FALSE(table_.Remove("uid-a"));
  EXPECT_EQ(TeamOf("a"), "-");
  table_.Put(MakeNamespace("b"));
  table_.Clear();
  EXPECT_TRUE(table_.all().empty());
  EXPECT_EQ(words_.size(), texts);
}

TEST_F(NamespaceTableTest, LateDeletionKeepsTheRecreatedNamespace) {
  table_.Put(MakeNamespace("a", {{"team", "x"}}));
  api::Namespace next = MakeNamespace("a", {{"team", "y"}});
  next.metadata.uid = "next";
  EXPECT_TRUE(table_.Put(next));
  EXPECT_FALSE(table_.Remove("uid-a"));
  EXPECT_EQ(TeamOf("a"), "y");
  EXPECT_TRUE(table_.Remove("next"));
  EXPECT_TRUE(table_.all().empty());
}

}  // namespace
}  // namespace berth::scheduler
