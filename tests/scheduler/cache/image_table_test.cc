// SPDX-License-Identifier: Apache-2.0
#include "scheduler/cache/image_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace berth::scheduler {
namespace {

using ::testing::ElementsAreArray;

api::Node WithImages(std::vector<api::ContainerImage> images) {
  api::Node node;
  node.status.images = std::move(images);
  return node;
}

class ImageTableTest : public ::testing::Test {
 protected:
  void Expect(const std::string& name, int64_t size, std::vector<Slot> slots) {
    const ImageState state = table_.Find(words_.Find(name));
    EXPECT_EQ(state.size, size) << name;
    EXPECT_THAT(state.slots, ElementsAreArray(slots)) << name;
  }

  uint64_t VersionOf(const std::string& name) { return table_.Find(words_.Find(name)).version; }

  Vocabulary words_;
  ImageTable table_{words_};
};

TEST_F(ImageTableTest, ListsANodeUnderEachNameOnce) {
  const api::Node node = WithImages({{{"a:1", "a@sha"}, 100}, {{"a:1"}, 70}});
  table_.Replace(3, nullptr, &node);
  Expect("a:1", 100, {3});
  Expect("a@sha", 100, {3});
  Expect("b", 0, {});
}

TEST_F(ImageTableTest, KeepsTheSizeOfTheFirstNodeWhileANodeHasTheImage) {
  const api::Node first = WithImages({{{"a"}, 100}});
  const api::Node second = WithImages({{{"a"}, 200}});
  table_.Replace(7, nullptr, &first);
  table_.Replace(2, nullptr, &second);
  Expect("a", 100, {2, 7});
  table_.Replace(7, &first, nullptr);
  Expect("a", 100, {2});
}

TEST_F(ImageTableTest, RereadsTheSizeWhenTheOnlyNodeIsUpdated) {
  const api::Node first = WithImages({{{"a"}, 100}});
  const api::Node second = WithImages({{{"a"}, 200}});
  table_.Replace(0, nullptr, &first);
  table_.Replace(1, nullptr, &second);
  table_.Replace(1, &second, &second);
  Expect("a", 100, {0, 1});
  table_.Replace(0, &first, nullptr);
  const uint64_t version = VersionOf("a");
  table_.Replace(1, &second, &second);
  EXPECT_NE(VersionOf("a"), version);
  Expect("a", 200, {1});
}

TEST_F(ImageTableTest, AppliesAddedRemovedAndUnchangedImages) {
  const api::Node before = WithImages({{{"kept", "gone"}, 100}});
  const api::Node after = WithImages({{{"new"}, 50}, {{"kept"}, 100}});
  table_.Replace(4, nullptr, &before);
  const uint64_t version = VersionOf("kept");
  table_.Replace(4, &before, &after);
  EXPECT_EQ(VersionOf("kept"), version);
  Expect("kept", 100, {4});
  Expect("gone", 0, {});
  Expect("new", 50, {4});
  EXPECT_EQ(table_.size(), 2u);
}

TEST_F(ImageTableTest, ReaddedImageGetsANewVersion) {
  const api::Node node = WithImages({{{"a"}, 100}});
  EXPECT_EQ(VersionOf("a"), 0u);
  table_.Replace(0, nullptr, &node);
  const uint64_t first = VersionOf("a");
  EXPECT_NE(first, 0u);
  table_.Replace(0, &node, &node);
  EXPECT_EQ(VersionOf("a"), first) << "nothing changed";
  table_.Replace(0, &node, nullptr);
  EXPECT_EQ(VersionOf("a"), 0u);
  table_.Replace(0, nullptr, &node);
  EXPECT_NE(VersionOf("a"), 0u);
  EXPECT_NE(VersionOf("a"), first);
}

TEST_F(ImageTableTest, RemovesAnImageWithItsLastNode) {
  const api::Node node = WithImages({{{"a"}, 100}});
  table_.Replace(0, nullptr, &node);
  table_.Replace(0, &node, nullptr);
  EXPECT_EQ(table_.size(), 0u);
  EXPECT_EQ(words_.Find("a"), kNoSymbol) << "its name is released, too";
}

}  // namespace
}  // namespace berth::scheduler
