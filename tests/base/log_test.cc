// SPDX-License-Identifier: Apache-2.0
#include "base/log.h"

#include <thread>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/strings.h"

namespace berth {
namespace {

class LogTest : public testing::Test {
 protected:
  void SetUp() override { testing::internal::CaptureStderr(); }
  void TearDown() override {
    if (!finished_) Lines();
    log::Configure({});
  }

  // Ends the capture and returns the written lines.
  std::vector<std::string> Lines() {
    finished_ = true;
    const std::string text = testing::internal::GetCapturedStderr();
    std::vector<std::string> lines;
    for (const std::string_view line : Split(text, '\n')) lines.emplace_back(line);
    EXPECT_EQ(lines.back(), "") << "each line has a line end";
    lines.pop_back();
    return lines;
  }

  bool finished_ = false;
};

TEST_F(LogTest, WritesTextToStderr) {
  log::Configure({.component = "test"});
  log::Info("Bound pod", {{"pod", "default/web"}, {"braces", "{}"}});
  const auto lines = Lines();
  ASSERT_EQ(lines.size(), 1U);
  EXPECT_EQ(lines[0][0], 'I');
  EXPECT_TRUE(lines[0].ends_with(" test] \"Bound pod\" pod=\"default/web\" braces=\"{}\""))
      << lines[0];
}

TEST_F(LogTest, WritesJson) {
  log::Configure({.format = log::Format::kJson});
  log::Error("Could not bind pod", {{"err", Error(Reason::kConflict, "conflict")}});
  log::Warn("Lost watch");
  const auto lines = Lines();
  ASSERT_EQ(lines.size(), 2U);
  const auto first = nlohmann::json::parse(lines[0]);
  EXPECT_EQ(first["level"], "error");
  EXPECT_EQ(first["err"], "conflict");
  EXPECT_GT(first["ts"].get<double>(), 1.7e12);
  EXPECT_EQ(nlohmann::json::parse(lines[1])["level"], "warn");
}

TEST_F(LogTest, VerbosityFiltersLines) {
  log::Configure({.verbosity = 2});
  EXPECT_TRUE(log::IsEnabled(2));
  EXPECT_FALSE(log::IsEnabled(3));
  EXPECT_TRUE(static_cast<bool>(log::V(2)));
  log::V(2).Info("Shown");
  log::V(3).Info("Hidden");
  log::Debug("Hidden");
  log::SetVerbosity(log::kDebugVerbosity);
  log::V(3).Info("Shown");
  log::Debug("Shown");
  const auto lines = Lines();
  ASSERT_EQ(lines.size(), 3U);
  for (const std::string& line : lines) EXPECT_TRUE(line.ends_with("\"Shown\"")) << line;
  EXPECT_EQ(lines[2][0], 'D');
}

TEST_F(LogTest, WritesLinesOfSeveralThreadsAtomically) {
  constexpr size_t kThreads = 4;
  constexpr size_t kLines = 200;
  log::Configure({.format = log::Format::kJson});
  std::vector<std::thread> threads;
  for (size_t thread = 0; thread < kThreads; ++thread) {
    threads.emplace_back([thread] {
      for (size_t i = 0; i < kLines; ++i) log::Info("Counted", {{"thread", thread}, {"i", i}});
    });
  }
  for (std::thread& thread : threads) thread.join();
  const auto lines = Lines();
  ASSERT_EQ(lines.size(), kThreads * kLines);
  for (const std::string& line : lines) {
    ASSERT_FALSE(nlohmann::json::parse(line, nullptr, false).is_discarded()) << line;
  }
}

}  // namespace
}  // namespace berth
