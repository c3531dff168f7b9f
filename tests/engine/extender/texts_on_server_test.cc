// SPDX-License-Identifier: Apache-2.0
// Whole objects for extenders, kept by informers of a real server while they are needed.
#include <functional>
#include <optional>
#include <string>
#include <utility>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "api/core.h"
#include "base/mailbox.h"
#include "engine/informers.h"
#include "tests/scheduler/scripted.h"
#include "tests/scheduler/testing/test_cluster.h"
#include "tests/support/apiserver/in_memory_server.h"
#include "tests/support/http/stub_server.h"

namespace berth::engine {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr TextNeeds kAll{.nodes = true, .waiting_pods = true, .placed_pods = true};

class TextsOnServer : public testing::Test {
 protected:
  TextsOnServer() {
    api::ServiceAccount account;
    account.metadata.namespace_ = "default";
    account.metadata.name = "default";
    EXPECT_TRUE(admin_.Create(account));
    scheduler_.SetProfiles(
        {{"test", scheduler::testing::TestProfile({clock_, api_, words_}, "test", {}, {})}});
    api::Node node;
    node.metadata.name = "n1";
    node_uid_ = admin_.Create(node).value().metadata.uid;
  }

  // Creates a pod; returns its UID.
  std::string AddPod(const std::string& name, const std::string& node = "") {
    api::Pod pod;
    pod.metadata.namespace_ = "default";
    pod.metadata.name = name;
    pod.spec.scheduler_name = "test";
    pod.spec.node_name = node;
    pod.spec.containers = {{.name = "c", .image = "example.com/c"}};
    return admin_.Create(pod).value().metadata.uid;
  }
  // Delivers events to the core until `done` returns true.
  bool Eventually(const std::function<bool()>& done) {
    return http::Eventually([&] {
      for (const auto& message : mailbox_.TryTake()) message();
      return done();
    });
  }
  Informers& Start() {
    informers_.emplace(Informers::Parts{
        .client = admin_,
        .clock = memory_.clock(),
        .scheduler = scheduler_,
        .post = [this](std::function<void()> message) { mailbox_.Post(std::move(message)); },
        .texts = texts_,
        .on_list = [this] { ++lists_; }});
    EXPECT_TRUE(Eventually([&] { return informers_->HasSynced({}); }));
    return *informers_;
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
  std::string node_uid_;
  int lists_ = 0;
  std::optional<Informers> informers_;
};

TEST_F(TextsOnServer, KeepsNoObjectsWithoutNeed) {
  AddPod("waits");
  Start();
  EXPECT_EQ(texts_.nodes.size() + texts_.pods.size(), 0u);
  EXPECT_TRUE(informers_->HasTexts());
}

TEST_F(TextsOnServer, KeepsObjectsNeededFromTheStart) {
  const std::string waits = AddPod("waits");
  const std::string placed = AddPod("placed", "n1");
  texts_.Need({.nodes = true, .waiting_pods = true});
  Start();
  EXPECT_TRUE(informers_->HasTexts());
  ASSERT_NE(texts_.nodes.Find(node_uid_), nullptr);
  ASSERT_NE(texts_.pods.Find(waits), nullptr);
  EXPECT_THAT(*texts_.pods.Find(waits),
              AllOf(HasSubstr(R"("image":"example.com/c")"), HasSubstr(waits),
                    Not(HasSubstr("managedFields")), Not(HasSubstr("apiVersion\":\"v1\",\"kind"))));
  EXPECT_EQ(texts_.pods.Find(placed), nullptr);
}

TEST_F(TextsOnServer, KeepsObjectsNeededLaterAfterARelist) {
  const std::string waits = AddPod("waits");
  const std::string placed = AddPod("placed", "n1");
  Informers& informers = Start();
  const int lists = lists_;
  informers.KeepTexts(kAll);
  EXPECT_TRUE(Eventually([&] { return informers.HasTexts() && lists_ == lists + 2; }));
  EXPECT_NE(texts_.nodes.Find(node_uid_), nullptr);
  EXPECT_NE(texts_.pods.Find(waits), nullptr);
  EXPECT_NE(texts_.pods.Find(placed), nullptr);

  informers.KeepTexts({});
  EXPECT_TRUE(informers.HasTexts());
  EXPECT_EQ(texts_.nodes.size() + texts_.pods.size(), 0u);
}

TEST_F(TextsOnServer, FollowsAddsUpdatesAndDeletes) {
  texts_.Need({.nodes = true, .waiting_pods = true});
  Start();
  const std::string pod = AddPod("p");
  EXPECT_TRUE(Eventually([&] { return texts_.pods.Find(pod) != nullptr; }));
  ASSERT_TRUE(admin_.Patch<api::Pod>("default", "p", R"({"metadata":{"labels":{"new":"label"}}})",
                                     {.type = client::PatchType::kMerge}));
  EXPECT_TRUE(Eventually([&] {
    const auto text = texts_.pods.Find(pod);
    return text != nullptr && text->find(R"("new":"label")") != std::string::npos;
  }));
  ASSERT_TRUE(admin_.Delete<api::Pod>("default", "p", {.grace_period_seconds = 0}));
  EXPECT_TRUE(Eventually([&] { return texts_.pods.size() == 0; }));
  ASSERT_TRUE(admin_.Delete<api::Node>("", "n1"));
  EXPECT_TRUE(Eventually([&] { return texts_.nodes.size() == 0; }));
}

}  // namespace
}  // namespace berth::engine
