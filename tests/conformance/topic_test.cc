// SPDX-License-Identifier: Apache-2.0
#include "tests/conformance/topic.h"

#include <unistd.h>

#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "scheduler/plugins/registry.h"

namespace berth::conformance {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

class TopicTest : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::path(::testing::TempDir()) /
              ("topic_" + std::to_string(::getpid()) + "_" +
               ::testing::UnitTest::GetInstance()->current_test_info()->name());
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }
  void Write(const std::string& file, const std::string& text) {
    std::ofstream(folder_ / file) << text;
  }

  fs::path folder_;
};

TEST_F(TopicTest, FindsFilesByNameAndSuggestsTheNearest) {
  Write("nodename.jsonl", "");
  Write("imagelocality.jsonl", "");
  Write("manifest.json", "{}");
  const auto all = FindTopics(folder_, "");
  ASSERT_TRUE(all);
  ASSERT_EQ(all->size(), 2u);
  EXPECT_EQ(all->front().topic, "imagelocality");
  EXPECT_EQ(FindTopics(folder_, "nodename")->size(), 1u);
  EXPECT_THAT(FindTopics(folder_, "nodenam").error().message(), HasSubstr("; nearest: nodename"));
}

TEST_F(TopicTest, RejectsAMissingOrEmptyFolder) {
  EXPECT_THAT(FindTopics(folder_, "").error().message(), HasSubstr("no .jsonl files"));
  EXPECT_FALSE(FindTopics(folder_ / "none", ""));
}

TEST_F(TopicTest, ReportsTheInvalidLine) {
  Write("nodename.jsonl", "\n{\"name\": 1}\n");
  const auto result = RunTopic({"nodename", folder_ / "nodename.jsonl"}, scheduler::MakeRegistry(),
                               ResultCacheMode::kOff, 1);
  ASSERT_FALSE(result);
  EXPECT_THAT(result.error().message(), HasSubstr("nodename.jsonl:2: "));
}

}  // namespace
}  // namespace berth::conformance
