// SPDX-License-Identifier: Apache-2.0
#include "engine/informers.h"

#include <algorithm>
#include <atomic>
#include <functional>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "base/mailbox.h"
#include "engine/change_flow.h"
#include "tests/scheduler/scripted.h"
#include "tests/support/apiserver/in_memory_server.h"
#include "tests/support/http/stub_server.h"

namespace berth::engine {
namespace {

using http::Eventually;

// InformersTest has informers whose messages run only when the test runs them.
class InformersTest : public testing::Test {
 protected:
  static constexpr size_t kNodeBytes = 200 << 10;
  static constexpr size_t kFull = ChangeFlow::kMaxBytes / kNodeBytes;  // nodes
  static constexpr size_t kNodes = 2 * kFull;

  InformersTest() {
    for (size_t i = 0; i < kNodes; ++i) {
      api::Node node;
      node.metadata.name = "n" + std::to_string(i);
      node.metadata.annotations["example.com/large"] = std::string(kNodeBytes, 'x');
      EXPECT_TRUE(admin_.Create(node));
    }
  }

  // Of the ends of both lists.
  static constexpr size_t kListMessages = 4;

  void Post(std::function<void()> message) {
    most_waiting_ = std::max(most_waiting_.load(), ++waiting_);
    mailbox_.Post(std::move(message));
  }
  void RunMessages() {
    for (const auto& message : mailbox_.TryTake()) {
      --waiting_;
      message();
    }
  }

  apiserver::InMemoryServer memory_;
  client::Client& admin_ = memory_.client();
  FakeClock clock_;
  scheduler::Vocabulary words_;
  scheduler::testing::RecordingApi api_;
  scheduler::SchedulerObserver observer_;
  scheduler::Scheduler scheduler_{clock_, api_, words_, observer_};
  Mailbox<std::function<void()>> mailbox_;
  std::atomic<size_t> waiting_ = 0, most_waiting_ = 0;
  KnownTexts texts_;
  Informers informers_{{.client = admin_,
                        .clock = memory_.clock(),
                        .scheduler = scheduler_,
                        .post = [this](std::function<void()> message) { Post(std::move(message)); },
                        .texts = texts_,
                        .on_list = [] {}}};
};

TEST_F(InformersTest, WatchWaitsWhileItsChangesAreNotApplied) {
  EXPECT_TRUE(Eventually([&] { return informers_.nodes().size() == kFull + 1; }));
  EXPECT_TRUE(Eventually([&] {
    RunMessages();
    return scheduler_.cache().node_count() == kNodes;
  }));
  EXPECT_LE(most_waiting_, kFull + 1 + kListMessages);
}

TEST_F(InformersTest, StopEndsAWatchThatWaits) {
  EXPECT_TRUE(Eventually([&] { return informers_.nodes().size() >= kFull; }));
  informers_.Stop();
}

}  // namespace
}  // namespace berth::engine
