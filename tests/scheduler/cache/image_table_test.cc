// SPDX-License-Identifier: Apache-2.0
#include "scheduler/cache/image_table.h"

#include <gtest/gtest.h>

namespace berth::scheduler {
namespace {

api::Node WithImages(std::vector<api::ContainerImage> images) {
  api::Node node;
  node.status.images = std::move(images);
  return node;
}

class ImageTableTest : public ::testing::Test {
 protected:
  void Expect(const std::string& name, int64_t size, int32_t nodes) {
    const ImageState state = table_.Find(words_.Intern(name));
    EXPECT_EQ(state.size, size) << name;
    EXPECT_EQ(state.nodes, nodes) << name;
  }

  Vocabulary words_;
  ImageTable table_{words_};
};

TEST_F(ImageTableTest, CountsNodesUnderEachNameOnce) {
  const api::Node node = WithImages({{{"a:1", "a@sha"}, 100}, {{"a:1"}, 70}});
  EXPECT_TRUE(table_.Replace(nullptr, &node));
  Expect("a:1", 100, 1);
  Expect("a@sha", 100, 1);
  Expect("b", 0, 0);
}

TEST_F(ImageTableTest, KeepsTheSizeOfTheFirstNodeWhileAnyHasIt) {
  const api::Node first = WithImages({{{"a"}, 100}});
  const api::Node second = WithImages({{{"a"}, 200}});
  table_.Replace(nullptr, &first);
  table_.Replace(nullptr, &second);
  Expect("a", 100, 2);
  table_.Replace(&first, nullptr);
  Expect("a", 100, 1);
}

TEST_F(ImageTableTest, ReadsTheSizeAnewWhenTheOnlyNodeIsUpdated) {
  const api::Node first = WithImages({{{"a"}, 100}});
  const api::Node second = WithImages({{{"a"}, 200}});
  table_.Replace(nullptr, &first);
  table_.Replace(nullptr, &second);
  table_.Replace(&first, nullptr);
  EXPECT_TRUE(table_.Replace(&second, &second));
  Expect("a", 200, 1);
}

TEST_F(ImageTableTest, SaysThatNothingChanged) {
  const api::Node node = WithImages({{{"a"}, 100}});
  table_.Replace(nullptr, &node);
  EXPECT_FALSE(table_.Replace(&node, &node));
  Expect("a", 100, 1);
}

TEST_F(ImageTableTest, ForgetsAnImageWithItsLastNode) {
  const api::Node node = WithImages({{{"a"}, 100}});
  table_.Replace(nullptr, &node);
  EXPECT_TRUE(table_.Replace(&node, nullptr));
  EXPECT_EQ(table_.size(), 0u);
}

}  // namespace
}  // namespace berth::scheduler
