// SPDX-License-Identifier: Apache-2.0
#include "engine/change_flow.h"

#include <atomic>
#include <thread>

#include <gtest/gtest.h>

#include "tests/support/http/stub_server.h"

namespace berth::engine {
namespace {

using http::Eventually;

constexpr size_t kQuarter = ChangeFlow::kMaxBytes / 4;

// ChangeFlowTest has a producer thread that posts the changes of six objects.
class ChangeFlowTest : public testing::Test {
 protected:
  ~ChangeFlowTest() override { flow_.Close(); }

  void Produce() {
    producer_ = std::jthread([this] {
      for (int i = 0; i < 6; ++i) {
        flow_.Await(kQuarter);
        flow_.Post();
        ++posted_;
      }
    });
  }

  ChangeFlow flow_;
  std::atomic<int> posted_ = 0;
  std::jthread producer_;
};

TEST_F(ChangeFlowTest, ProducerWaitsAboveTheLimitUntilHalfIsApplied) {
  Produce();
  EXPECT_TRUE(Eventually([&] { return posted_ == 5; }));
  flow_.Applied(kQuarter);
  flow_.Applied(kQuarter);
  EXPECT_EQ(posted_, 5) << "three quarters are left";
  flow_.Applied(kQuarter);
  EXPECT_TRUE(Eventually([&] { return posted_ == 6; }));
}

TEST_F(ChangeFlowTest, CloseEndsTheWait) {
  Produce();
  EXPECT_TRUE(Eventually([&] { return posted_ == 5; }));
  flow_.Close();
  EXPECT_TRUE(Eventually([&] { return posted_ == 6; }));
}

TEST_F(ChangeFlowTest, ObjectAboveTheLimitPassesAlone) {
  flow_.Await(2 * ChangeFlow::kMaxBytes);
  const size_t bytes = flow_.Post();
  EXPECT_EQ(bytes, 2 * ChangeFlow::kMaxBytes);
  flow_.Applied(bytes);
  flow_.Await(1);
  EXPECT_EQ(flow_.Post(), 1u) << "nothing is waiting";
}

}  // namespace
}  // namespace berth::engine
