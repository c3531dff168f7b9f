// SPDX-License-Identifier: Apache-2.0
// Reads of an engine besides pods and nodes: their start, their end, and the work that waits for
// them.
#include <atomic>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "api/apiextensions.h"
#include "api/apps.h"
#include "api/core.h"
#include "api/scheduler_contract.h"
#include "crds/pod_group.h"
#include "scheduler/model/object_types.h"
#include "tests/engine/engine_fixture.h"
#include "tests/support/http/stub_server.h"

namespace berth::engine {
namespace {

using http::Eventually;
using scheduler::CycleContext;
using scheduler::ObjectKind;
using scheduler::ObjectKindSet;
using std::chrono::seconds;
using ::testing::HasSubstr;

// The interval of retries for a kind that is not installed.
constexpr seconds kSoon{30};

constexpr scheduler::ObjectKindSet kAllKinds = {ObjectKind::kNamespace,
                                                ObjectKind::kService,
                                                ObjectKind::kReplicationController,
                                                ObjectKind::kReplicaSet,
                                                ObjectKind::kStatefulSet,
                                                ObjectKind::kPodDisruptionBudget,
                                                ObjectKind::kPodGroup,
                                                ObjectKind::kNativePodGroup,
                                                ObjectKind::kPersistentVolume,
                                                ObjectKind::kPersistentVolumeClaim,
                                                ObjectKind::kStorageClass,
                                                ObjectKind::kCsiNode,
                                                ObjectKind::kCsiDriver,
                                                ObjectKind::kCsiStorageCapacity,
                                                ObjectKind::kVolumeAttachment};

// Seen is the cluster as the filter saw it in its last call.
struct Seen {
  std::atomic<size_t> namespaces = 0;
  std::atomic<size_t> requirements = 0;  // of the pod's default selector
};

// Look is a filter that accepts every node and records the cluster.
class Look final : public scheduler::FilterPlugin {
 public:
  explicit Look(Seen& seen) : seen_(seen) {}
  scheduler::Verdict Filter(const CycleContext& cycle, const scheduler::NodeView&) const override {
    seen_.namespaces = cycle.snapshot.Namespaces().all().size();
    seen_.requirements = cycle.snapshot.DefaultSelector(cycle.pod).requirements().size();
    return scheduler::Verdict::Fits();
  }
  static scheduler::PluginDescriptor Of(std::string_view name, ObjectKindSet reads, Seen& seen) {
    scheduler::PluginDescriptor descriptor;
    descriptor.name = name;
    descriptor.points = {scheduler::ExtensionPoint::kFilter};
    descriptor.reads = reads;
    descriptor.create = [&seen](const json::Raw&, const scheduler::PluginHandle&)
        -> Result<std::unique_ptr<scheduler::Plugin>> { return std::make_unique<Look>(seen); };
    return descriptor;
  }

 private:
  Seen& seen_;
};

class ReadsTest : public EngineTest {
 protected:
  ReadsTest() {
    more_plugins_ = {Look::Of("Look", {}, seen_),
                     Look::Of("OfNamespaces", {ObjectKind::kNamespace}, seen_),
                     Look::Of("OfGroups", {ObjectKind::kPodGroup}, seen_),
                     Look::Of("OfNativeGroups", {ObjectKind::kNativePodGroup}, seen_),
                     Look::Of("OfAll", kAllKinds, seen_)};
    AddNode("n1", "16");
  }

  static std::string ConfigWith(const std::string& plugin) {
    return ConfigOfPodsAndNodes("filter: {enabled: [{name: " + plugin + "}]}");
  }
  void StartWith(const std::string& plugin) {
    Start(ConfigWith(plugin));
    EXPECT_TRUE(EventuallyRuns(ConfigWith(plugin)));
    EXPECT_TRUE(Eventually([&] { return NotReady().empty(); })) << NotReady();
  }
  bool EventuallyRuns(const std::string& config) {
    return EventuallyReports(api::kAppliedConfigHashAnnotation, api::ConfigHash(config));
  }
  std::string Runs() { return Reported(api::kAppliedConfigHashAnnotation); }
  // Adds a pod, so that the filter runs.
  void Place(const std::string& pod) {
    AddPod(pod);
    EXPECT_TRUE(EventuallyOn(pod, "n1"));
  }

  Seen seen_;
};

TEST_F(ReadsTest, SchedulesAfterAllKindsOfItsPluginsAreSynced) {
  memory_.Inject(R"({"action": "fail", "resource": "namespaces"})");
  Start(ConfigWith("OfNamespaces"));
  EXPECT_TRUE(EventuallyRuns(ConfigWith("OfNamespaces")));
  EXPECT_TRUE(Eventually(
      [&] { return NotReady() == "informer-sync: handlers are not fully synchronized"; }));
  AddPod("a");
  EXPECT_EQ(NodeOf("a"), "");
  memory_.server().ClearFaults();
  EXPECT_TRUE(EventuallyOn("a", "n1"));
  EXPECT_GT(seen_.namespaces, 0u);
  EXPECT_EQ(NotReady(), "");
}

TEST_F(ReadsTest, DoesNotListKindsThatNoPluginReads) {
  memory_.Inject(R"({"action": "fail", "resource": "namespaces"})");
  memory_.Inject(R"({"action": "fail", "resource": "services"})");
  StartWith("Look");
  Place("a");
  EXPECT_EQ(seen_.namespaces, 0u);
}

TEST_F(ReadsTest, FilterSeesChangesOfTheKindsItReads) {
  StartWith("OfAll");
  int pods = 0;
  const auto place = [&] {
    api::Pod pod;
    pod.metadata.namespace_ = "default";
    pod.metadata.name = "p" + std::to_string(pods++);
    pod.metadata.labels = {{"app", "web"}};
    pod.spec.scheduler_name = "hello";
    pod.spec.containers = {{.name = "c", .image = "example.com/c"}};
    EXPECT_TRUE(admin_.Create(pod));
    EXPECT_TRUE(EventuallyOn(pod.metadata.name, "n1"));
  };
  place();
  const size_t namespaces = seen_.namespaces;
  api::Service service;
  service.metadata.namespace_ = "default";
  service.metadata.name = "s";
  service.spec.selector = {{"app", "web"}};
  service.spec.ports = {{.name = {}, .protocol = {}, .app_protocol = {}, .port = 80}};
  ASSERT_TRUE(admin_.Create(service));
  api::Namespace team;
  team.metadata.name = "team";
  ASSERT_TRUE(admin_.Create(team));
  EXPECT_TRUE(Eventually([&] {
    place();
    return seen_.requirements == 1u && seen_.namespaces == namespaces + 1;
  }));
  ASSERT_TRUE(admin_.Delete<api::Service>("default", "s"));
  EXPECT_TRUE(Eventually([&] {
    place();
    return seen_.requirements == 0u;
  }));
}

TEST(ObjectTypes, OnlyPodGroupsMayBeAbsent) {
  kAllKinds.ForEach([](ObjectKind kind) {
    const api::ResourceInfo& resource = scheduler::ResourceOf(kind);
    EXPECT_EQ(scheduler::ComesWithCrd(resource), kind == ObjectKind::kPodGroup);
    EXPECT_EQ(scheduler::MayBeAbsent(resource),
              kind == ObjectKind::kPodGroup || kind == ObjectKind::kNativePodGroup)
        << scheduler::ToString(kind);
  });
}

TEST_F(ReadsTest, MissingKindIsReportedAndDoesNotBlock) {
  StartWith("OfGroups");
  EXPECT_TRUE(EventuallyReports(api::kAbsentKindsAnnotation,
                                "PodGroups are not known to this API server: install "
                                "CustomResourceDefinition podgroups.scheduling.x-k8s.io"));
  Place("a");
  ASSERT_TRUE(admin_.Create(crds::PodGroupDefinition()));
  EXPECT_TRUE(Eventually([&] { return Reported(api::kAbsentKindsAnnotation).empty(); }, kSoon));
  Place("b");
  ASSERT_TRUE(
      admin_.Delete<api::CustomResourceDefinition>("", crds::PodGroupDefinition().metadata.name));
  EXPECT_TRUE(Eventually([&] { return !Reported(api::kAbsentKindsAnnotation).empty(); }, kSoon));
  EXPECT_EQ(NotReady(), "");
}

// A plugin that is enabled by default reads the kind.
TEST_F(ReadsTest, MissingKindOfKubernetesIsNotReported) {
  memory_.Inject(
      R"({"action": "fail", "code": 404, "group": "scheduling.k8s.io", "resource": "podgroups"})");
  StartWith("OfNativeGroups");
  Place("a");
  EXPECT_EQ(Reported(api::kAbsentKindsAnnotation), "");
  EXPECT_EQ(NotReady(), "");
}

TEST_F(ReadsTest, AppliesConfigIfAKindIsNotServed) {
  StartWith("Look");
  EXPECT_EQ(Reported(api::kAbsentKindsAnnotation), "") << "no plugin reads it";
  Publish(ConfigWith("OfGroups"));
  EXPECT_TRUE(EventuallyRuns(ConfigWith("OfGroups")));
  EXPECT_TRUE(Eventually([&] { return !Reported(api::kAbsentKindsAnnotation).empty(); }));
  Publish(ConfigWith("Look"));
  EXPECT_TRUE(EventuallyReports(api::kAbsentKindsAnnotation, ""));
  EXPECT_EQ(Reported(api::kConfigErrorAnnotation), "");
}

TEST_F(ReadsTest, ReloadWaitsForANewKindWhileTheOldConfigServes) {
  StartWith("Look");
  memory_.Inject(R"({"action": "delay", "resource": "namespaces", "delayMilliseconds": 500})");
  Publish(ConfigWith("OfNamespaces"));
  Place("a");
  EXPECT_EQ(seen_.namespaces, 0u);
  EXPECT_EQ(NotReady(), "") << "the running configuration has all objects that it reads";
  EXPECT_EQ(Runs(), api::ConfigHash(ConfigWith("Look")));
  EXPECT_TRUE(EventuallyRuns(ConfigWith("OfNamespaces")));
  Place("b");
  EXPECT_GT(seen_.namespaces, 0u);
}

TEST_F(ReadsTest, ReloadWaitsForPermissionToListAKind) {
  StartWith("Look");
  memory_.Inject(R"({"action": "fail", "code": 403, "resource": "namespaces"})");
  const std::string newer = ConfigWith("OfNamespaces");
  Publish(newer);
  int leaps = 0;
  EXPECT_TRUE(Eventually([&] {
    // RBAC changes may take effect late, but a watch must not be silent for longer.
    if (leaps++ < 20) clock_.Leap(seconds(1));
    Wake();
    return !Reported(api::kConfigErrorAnnotation).empty();
  }));
  EXPECT_THAT(Reported(api::kConfigErrorAnnotation), HasSubstr("namespaces cannot be listed: "));
  EXPECT_EQ(Reported(api::kConfigErrorHashAnnotation), api::ConfigHash(newer));
  EXPECT_EQ(Runs(), api::ConfigHash(ConfigWith("Look")));
  EXPECT_EQ(NotReady(), "");
  Place("a");
  memory_.server().ClearFaults();
  EXPECT_TRUE(EventuallyRuns(newer));
  EXPECT_TRUE(EventuallyReports(api::kConfigErrorAnnotation, ""));
}

TEST_F(ReadsTest, NewReloadReplacesTheWaitingReload) {
  StartWith("Look");
  memory_.Inject(R"({"action": "fail", "resource": "namespaces"})");
  Publish(ConfigWith("OfNamespaces"));
  EXPECT_TRUE(Eventually([&] { return !Reported(api::kConfigErrorAnnotation).empty(); }));
  const std::string newer = ConfigOfPodsAndNodes("score: {enabled: [{name: NodeNameLength}]}");
  Publish(newer);
  EXPECT_TRUE(EventuallyRuns(newer));
  EXPECT_TRUE(EventuallyReports(api::kConfigErrorAnnotation, ""));
  memory_.server().ClearFaults();
  Place("a");
  EXPECT_EQ(Runs(), api::ConfigHash(newer));
}

TEST_F(ReadsTest, ReloadOfTheRunningConfigEndsTheWait) {
  StartWith("Look");
  memory_.Inject(R"({"action": "fail", "resource": "namespaces"})");
  Publish(ConfigWith("OfNamespaces"));
  EXPECT_TRUE(Eventually([&] { return !Reported(api::kConfigErrorAnnotation).empty(); }));
  Publish(ConfigWith("Look"));
  EXPECT_TRUE(EventuallyReports(api::kConfigErrorAnnotation, ""));
  EXPECT_EQ(Runs(), api::ConfigHash(ConfigWith("Look")));
}

TEST_F(ReadsTest, RejectedReloadDoesNotEndTheWaitOfAValidOne) {
  StartWith("Look");
  memory_.Inject(R"({"action": "delay", "resource": "namespaces", "delayMilliseconds": 500})");
  Publish(ConfigWith("OfNamespaces"));
  Publish(ConfigWith("Unknown"));
  EXPECT_TRUE(
      EventuallyReports(api::kConfigErrorHashAnnotation, api::ConfigHash(ConfigWith("Unknown"))));
  EXPECT_TRUE(EventuallyRuns(ConfigWith("OfNamespaces")));
  EXPECT_EQ(Reported(api::kConfigErrorHashAnnotation), api::ConfigHash(ConfigWith("Unknown")));
}

TEST_F(ReadsTest, ForgetsAnUnreadKind) {
  StartWith("OfNamespaces");
  Place("a");
  EXPECT_GT(seen_.namespaces, 0u);
  Publish(ConfigWith("Look"));
  EXPECT_TRUE(EventuallyRuns(ConfigWith("Look")));
  memory_.Inject(R"({"action": "fail", "resource": "namespaces"})");
  Place("b");
  EXPECT_EQ(seen_.namespaces, 0u);
  EXPECT_EQ(NotReady(), "");
  memory_.server().ClearFaults();
  Publish(ConfigWith("OfNamespaces"));
  EXPECT_TRUE(EventuallyRuns(ConfigWith("OfNamespaces")));
  Place("c");
  EXPECT_GT(seen_.namespaces, 0u) << "and listed again";
}

}  // namespace
}  // namespace berth::engine
