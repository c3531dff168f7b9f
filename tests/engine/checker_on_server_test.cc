// SPDX-License-Identifier: Apache-2.0
// The checker with real informers and a core that misses events.
#include <functional>
#include <mutex>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "api/core.h"
#include "base/mailbox.h"
#include "engine/checker.h"
#include "engine/informers.h"
#include "tests/scheduler/scripted.h"
#include "tests/scheduler/testing/test_cluster.h"
#include "tests/support/apiserver/in_memory_server.h"
#include "tests/support/http/stub_server.h"

namespace berth::engine {
namespace {

using std::chrono::milliseconds;

class CheckerOnServer : public testing::Test {
 protected:
  CheckerOnServer() {
    api::ServiceAccount account;
    account.metadata.namespace_ = "default";
    account.metadata.name = "default";
    EXPECT_TRUE(admin_.Create(account));
    scheduler_.SetProfiles(
        {{"test", scheduler::testing::TestProfile({clock_, api_, words_}, "test", {}, {})}});
  }

  void AddPod(const std::string& name, const std::string& node = "") {
    api::Pod pod;
    pod.metadata.namespace_ = "default";
    pod.metadata.name = name;
    pod.spec.scheduler_name = "test";
    pod.spec.node_name = node;
    pod.spec.containers = {{.name = "c", .image = "example.com/c"}};
    EXPECT_TRUE(admin_.Create(pod));
  }
  // Fetches synchronously: the test has one thread.
  void Fetch(const client::StoreKey& key, const Checker::Fetched& done) {
    const auto pod = admin_.Get<api::Pod>(key.first, key.second);
    mailbox_.Post(
        [done, found = pod ? std::make_shared<const api::Pod>(*pod) : nullptr] { done(found); });
  }
  // Delivers events to the core until `done` returns true.
  bool Eventually(const std::function<bool()>& done) {
    return http::Eventually([&] {
      for (const auto& message : mailbox_.TryTake()) message();
      return done();
    });
  }
  // Waits until the store has this many pods, then drops their events for the core.
  void Miss(size_t pods) {
    EXPECT_TRUE(http::Eventually([&] { return informers_.pods().size() == pods; }));
    const std::lock_guard lock(informers_.pods().changes());
    mailbox_.TryTake();
  }
  // Advances the clock by two rounds.
  void Check() {
    for (milliseconds passed{}; passed < 2 * Checker::kRound; passed += milliseconds(100)) {
      clock_.Advance(milliseconds(100));
      checker_.Step(clock_.Now());
      for (const auto& message : mailbox_.TryTake()) message();
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
  KnownTexts texts_;
  Informers informers_{
      {.client = admin_,
       .clock = memory_.clock(),
       .scheduler = scheduler_,
       .post = [this](std::function<void()> message) { mailbox_.Post(std::move(message)); },
       .texts = texts_,
       .on_list = [] {}}};
  int repairs_ = 0;
  Checker checker_{{.scheduler = scheduler_,
                    .pods = informers_.pods(),
                    .nodes = informers_.nodes(),
                    .post = [this](Checker::Message message) { mailbox_.Post(std::move(message)); },
                    .fetch = [this](const client::StoreKey& key,
                                    const Checker::Fetched& done) { Fetch(key, done); },
                    .repaired = [this](std::string_view) { ++repairs_; }}};
};

TEST_F(CheckerOnServer, RepairsMissedEventsFromTheInformerStores) {
  ASSERT_TRUE(Eventually([&] { return informers_.HasSynced({}); }));
  AddPod("waits");
  AddPod("placed", "n1");
  Miss(2);
  EXPECT_EQ(scheduler_.pending_count() + scheduler_.cache().pod_count(), 0u);
  Check();
  EXPECT_EQ(scheduler_.pending_count(), 1u);
  EXPECT_EQ(scheduler_.cache().pod_count(), 1u);
  EXPECT_EQ(repairs_, 2);

  ASSERT_TRUE(admin_.Delete<api::Pod>("default", "waits", {.grace_period_seconds = 0}));
  ASSERT_TRUE(admin_.Delete<api::Pod>("default", "placed", {.grace_period_seconds = 0}));
  Miss(0);
  Check();
  EXPECT_EQ(scheduler_.pending_count() + scheduler_.cache().pod_count(), 0u);
  EXPECT_EQ(repairs_, 4);
}

}  // namespace
}  // namespace berth::engine
