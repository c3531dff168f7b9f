// SPDX-License-Identifier: Apache-2.0
#include "controllers/pod_group_controller.h"

#include <atomic>
#include <chrono>
#include <memory>
#include <string>

#include <gtest/gtest.h>

#include "api/apiextensions.h"
#include "api/events.h"
#include "crds/pod_group.h"
#include "tests/support/apiserver/in_memory_server.h"
#include "tests/support/http/stub_server.h"

namespace berth::controllers {
namespace {

using http::Eventually;
using std::chrono::hours;
using std::chrono::seconds;

// The controller checks this often whether the API server has the PodGroup CRD.
constexpr seconds kSoon{30};

// LaterClock has a wall clock ahead of the system's.
class LaterClock final : public Clock {
 public:
  SteadyTime Now() const override { return system_.Now(); }
  Time Wall() const override { return system_.Wall() + ahead; }
  hours ahead{0};

 private:
  const SystemClock system_{};
};

class PodGroupControllerTest : public testing::Test {
 protected:
  PodGroupControllerTest() { CreateAccount("default"); }
  ~PodGroupControllerTest() override { controller_->Stop(); }

  void Define() { ASSERT_TRUE(client_.Create(crds::PodGroupDefinition())); }
  void Start() {
    controller_->Watch();
    controller_->Work();
  }

  // Creates the ServiceAccount that the pods of a namespace need.
  void CreateAccount(const std::string& ns) {
    api::ServiceAccount account;
    account.metadata.namespace_ = ns;
    account.metadata.name = "default";
    ASSERT_TRUE(client_.Create(account));
  }
  void CreateGroup(const std::string& name, int32_t min_member) {
    api::PodGroup group;
    group.metadata.namespace_ = "default";
    group.metadata.name = name;
    group.spec.min_member = min_member;
    EXPECT_TRUE(Eventually([&] { return client_.Create(group).has_value(); }));
  }
  void CreatePod(const std::string& name, const std::string& group,
                 const std::string& ns = "default") {
    api::Pod pod;
    pod.metadata.namespace_ = ns;
    pod.metadata.name = name;
    pod.metadata.labels = {{std::string(api::kPodGroupLabel), group}};
    pod.metadata.owner_references = {
        {.api_version = "batch/v1", .kind = "Job", .name = "train", .uid = "u"}};
    pod.spec.containers = {{.name = "c", .image = "example.com/c"}};
    const auto created = client_.Create(pod);
    ASSERT_TRUE(created) << created.error().message();
  }
  void SetPhase(const std::string& pod, const std::string& phase) {
    const std::string body = R"({"status":{"phase":")" + phase + "\"}}";
    ASSERT_TRUE(client_.Patch<api::Pod>("default", pod, body, {}, "status"));
  }
  void Label(const std::string& pod, const std::string& group) {
    const std::string body =
        R"({"metadata":{"labels":{")" + std::string(api::kPodGroupLabel) + R"(":)" + group + "}}}";
    ASSERT_TRUE(client_.Patch<api::Pod>("default", pod, body, {}));
  }

  api::PodGroup Group(const std::string& name) {
    const auto group = client_.Get<api::PodGroup>("default", name);
    return group ? *group : api::PodGroup();
  }
  bool Becomes(const std::string& name, const std::string& phase, int32_t running = 0) {
    return Eventually(
        [&] {
          const api::PodGroupStatus status = Group(name).status;
          return status.phase == phase && status.running == running;
        },
        kSoon);
  }
  size_t Warnings() {
    const auto events = client_.List<api::Event>("default");
    size_t count = 0;
    for (const auto& event : events->items) count += event->reason == "Timeout" ? 1 : 0;
    return count;
  }

  apiserver::InMemoryServer memory_;
  client::Client& client_ = memory_.client();
  LaterClock clock_;
  client::EventRecorder recorder_{client::SendWith(client_), {}, memory_.clock()};
  std::atomic<bool> may_write_ = true;
  std::atomic<int> asked_ = 0;  // number of may_write calls
  ClientPort port_{client_, recorder_, [this] {
                     ++asked_;
                     return may_write_.load();
                   }};
  MetricsRegistry metrics_;
  std::unique_ptr<PodGroupController> controller_ =
      std::make_unique<PodGroupController>(client_, port_, clock_, metrics_);
};

TEST_F(PodGroupControllerTest, UpdatesStatusFromTheFirstPodToTheLast) {
  Define();
  Start();
  CreateGroup("g", 2);
  EXPECT_TRUE(Becomes("g", "Pending"));
  CreatePod("a", "g");
  CreatePod("b", "g");
  EXPECT_TRUE(Becomes("g", "Scheduling"));
  EXPECT_EQ(Group("g").status.occupied_by, "default/train");
  SetPhase("a", "Running");
  EXPECT_TRUE(Becomes("g", "Scheduling", 1));
  SetPhase("b", "Running");
  EXPECT_TRUE(Becomes("g", "Running", 2));
  SetPhase("a", "Succeeded");
  EXPECT_TRUE(Becomes("g", "Running", 1));
  SetPhase("b", "Succeeded");
  EXPECT_TRUE(Becomes("g", "Finished"));
  EXPECT_EQ(Group("g").status.succeeded, 2);
}

TEST_F(PodGroupControllerTest, CountsPodsByCurrentLabelInItsNamespace) {
  api::Namespace other;
  other.metadata.name = "other";
  ASSERT_TRUE(client_.Create(other));
  CreateAccount("other");
  Define();
  CreateGroup("g", 1);
  CreateGroup("h", 1);
  CreatePod("there", "g", "other");
  CreatePod("a", "h");
  Start();
  EXPECT_TRUE(Becomes("h", "Scheduling"));
  EXPECT_TRUE(Becomes("g", "Pending"));
  Label("a", "\"g\"");
  EXPECT_TRUE(Becomes("g", "Scheduling"));
  EXPECT_TRUE(Becomes("h", "Pending"));
  Label("a", "null");
  EXPECT_TRUE(Becomes("g", "Pending"));
}

TEST_F(PodGroupControllerTest, WritesNothingWithoutChangeOrLeadership) {
  Define();
  CreateGroup("g", 1);
  may_write_ = false;
  Start();
  EXPECT_TRUE(Eventually([&] { return asked_ > 0; }));
  EXPECT_EQ(Group("g").status.phase, "");
  controller_->Stop();

  may_write_ = true;
  controller_ = std::make_unique<PodGroupController>(client_, port_, clock_, metrics_);
  Start();
  EXPECT_TRUE(Becomes("g", "Pending"));
  const std::string version = Group("g").metadata.resource_version;
  CreatePod("other", "another");
  CreateGroup("later", 1);
  EXPECT_TRUE(Becomes("later", "Pending"));
  EXPECT_EQ(Group("g").metadata.resource_version, version);
}

TEST_F(PodGroupControllerTest, HandlesDeletedAndRecreatedCrd) {
  CreatePod("a", "g");
  Start();
  for (int i = 0; i < 2; ++i) {
    Define();
    CreateGroup("g", 1);
    EXPECT_TRUE(Becomes("g", "Scheduling"));
    ASSERT_TRUE(client_.Delete<api::CustomResourceDefinition>(
        "", crds::PodGroupDefinition().metadata.name));
    EXPECT_TRUE(Eventually([&] { return Group("g").metadata.uid.empty(); }));
  }
}

TEST_F(PodGroupControllerTest, WarnsOnceAfterTwoDaysWithoutRunningPod) {
  clock_.ahead = hours(49);
  Define();
  Start();
  CreateGroup("g", 2);
  EXPECT_TRUE(Becomes("g", "Pending"));
  EXPECT_TRUE(Eventually([&] { return Warnings() == 1; }));
  CreatePod("a", "g");
  CreatePod("b", "g");
  EXPECT_TRUE(Becomes("g", "Scheduling"));
  EXPECT_TRUE(recorder_.Flush(seconds(10)));
  EXPECT_EQ(Warnings(), 1u);
}

}  // namespace
}  // namespace berth::controllers
