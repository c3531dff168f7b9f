// SPDX-License-Identifier: Apache-2.0
// Tests schedulers that read their configuration only at start, and changes of the engine.
#include <algorithm>

#include <gmock/gmock.h>

#include "controllers/config.h"
#include "tests/controllers/rollout_fixture.h"

namespace berth::controllers {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::SizeIs;
using testing::UnorderedElementsAre;

constexpr const char* kKube = "{engine: {type: KubeScheduler}}";

std::string Weighted(const std::string& engine, int weight) {
  return "{" + engine +
         "plugins: {multiPoint: {enabled: [{name: NodeAffinity, weight: " + std::to_string(weight) +
         "}]}}}";
}

class EngineChange : public RolloutTest {
 protected:
  // Returns the names of the profile's live objects of a kind.
  std::vector<std::string> Names(const api::ResourceInfo& resource) {
    const Observed observed = *cluster_.Observe(cluster_.ProfileNow("a"));
    std::vector<std::string> names;
    for (const auto& [key, object] : observed.objects) {
      if (key.resource->kind == resource.kind) names.push_back(key.name);
    }
    return names;
  }
  std::vector<std::string> ConfigMaps() { return Names(api::ConfigMap::kResource); }
  std::vector<std::string> Bindings() { return Names(api::ClusterRoleBinding::kResource); }

  std::string VersionNow() { return "berth-a-" + PlanAlone(cluster_.ProfileNow("a")).config_hash; }

  // Waits until all pods are updated and ready, but the configuration is not reported as applied.
  bool WaitsForTheScheduler() {
    return http::Eventually(
        [this] {
          Advance();
          return MessageOf("Reconciling").starts_with("True/Pending");
        },
        kLimit);
  }

  // Reports whether a rollout starts. The old pods stay, since no new pod is marked ready.
  bool BeginsRollout() {
    return http::Eventually(
        [this] {
          ReconcileOnce();
          const Observed observed = *cluster_.Observe(cluster_.ProfileNow("a"));
          return observed.pods.size() == 2;
        },
        kLimit);
  }
};

TEST_F(EngineChange, KubeSchedulerGetsVersionedConfigMapAndRoles) {
  Put(kKube);
  ASSERT_TRUE(Settles()) << MessageOf("Ready");
  EXPECT_THAT(ConfigMaps(), ElementsAre(VersionNow()));
  EXPECT_THAT(Bindings(), ElementsAre("berth:a:kube-scheduler", "berth:a:volume-scheduler"));
  const auto map = cluster_.Find({&api::ConfigMap::kResource, "berth-system", VersionNow()});
  EXPECT_THAT(map->Json(), HasSubstr(R"("immutable":true)"));
  EXPECT_THAT(MessageOf("ConfigApplied"), HasSubstr("True/Applied"));
  const crds::SchedulerProfileStatus& status = cluster_.ProfileNow("a").status;
  EXPECT_EQ(status.scheduler.applied_config_hash, status.scheduler.config_hash);
  EXPECT_THAT(status.capabilities, ElementsAre("kube-scheduler", "volume-scheduler"));
  EXPECT_EQ(status.plugin_count, 0);
}

TEST_F(EngineChange, OldRolesAndConfigMapStayUntilOldPodsAreGone) {
  Put("");
  ASSERT_TRUE(Settles()) << MessageOf("Ready");
  const std::vector<std::string> before = Bindings();
  Put(kKube);
  ASSERT_TRUE(BeginsRollout());
  EXPECT_THAT(Bindings(), AllOf(testing::IsSupersetOf(before), Contains("berth:a:kube-scheduler")));
  EXPECT_THAT(ConfigMaps(), UnorderedElementsAre("berth-a", VersionNow()));
  EXPECT_THAT(MessageOf("ConfigApplied"), HasSubstr("False/Pending"));
  ASSERT_TRUE(Settles()) << MessageOf("Ready");
  EXPECT_THAT(Bindings(), ElementsAre("berth:a:kube-scheduler", "berth:a:volume-scheduler"));
  EXPECT_THAT(ConfigMaps(), ElementsAre(VersionNow()));

  const std::string version = VersionNow();
  Put("");
  ASSERT_TRUE(BeginsRollout());
  EXPECT_THAT(Bindings(), AllOf(testing::IsSupersetOf(before), Contains("berth:a:kube-scheduler")));
  EXPECT_THAT(ConfigMaps(), UnorderedElementsAre("berth-a", version));
  ASSERT_TRUE(Settles()) << MessageOf("Ready");
  EXPECT_EQ(Bindings(), before);
  EXPECT_THAT(ConfigMaps(), ElementsAre("berth-a"));
}

TEST_F(EngineChange, NotAppliedWhileBerthSchedulerHoldsTheLease) {
  Put("");
  ASSERT_TRUE(Settles()) << MessageOf("Ready");
  const api::Lease berths = lease_;
  Put(kKube);
  cluster_.SetLease(berths);
  EXPECT_TRUE(WaitsForTheScheduler()) << MessageOf("Reconciling");
  EXPECT_THAT(Bindings(), Contains("berth:a:base"));
}

TEST_F(EngineChange, OldReportIsNotAttributedToTheNextBerthScheduler) {
  Put("");
  ASSERT_TRUE(Settles()) << MessageOf("Ready");
  Put(kKube);
  ASSERT_TRUE(Settles()) << MessageOf("Ready");
  const api::Lease kubes = lease_;
  Put("");
  cluster_.SetLease(kubes);  // the first scheduler reported this same configuration on it
  EXPECT_TRUE(WaitsForTheScheduler()) << MessageOf("Reconciling");
}

TEST_F(EngineChange, RestartKeepsConfigMapsOfThreeVersions) {
  const std::string restart = "rollout: {strategy: Restart}, ";
  for (int weight = 1; weight <= 5; ++weight) {
    Put(Weighted(restart, weight));
    ASSERT_TRUE(Settles()) << MessageOf("Ready");
    EXPECT_THAT(ConfigMaps(), AllOf(SizeIs(std::min(weight, 3)), Contains(VersionNow())));
  }
  Put(Weighted("", 5));
  ASSERT_TRUE(Settles()) << MessageOf("Ready");
  EXPECT_THAT(ConfigMaps(), ElementsAre("berth-a"));
}

TEST_F(EngineChange, VersionOfRunningPodIsKept) {
  Put(kKube);
  ASSERT_TRUE(Settles()) << MessageOf("Ready");
  const std::string alive = VersionNow();
  for (int weight = 1; weight <= 5; ++weight) {
    Put(Weighted("engine: {type: KubeScheduler}, ", weight));
    ASSERT_TRUE(http::Eventually(
        [this] {
          ReconcileOnce();
          return cluster_.Find({&api::ConfigMap::kResource, "berth-system", VersionNow()})
              .has_value();
        },
        kLimit));
  }
  ReconcileOnce();
  EXPECT_THAT(ConfigMaps(), AllOf(Contains(alive), Contains(VersionNow())));
  EXPECT_LE(ConfigMaps().size(), 5u);
}

TEST_F(EngineChange, SameTextOfAnotherEngineIsAnotherVersion) {
  Put("{rollout: {strategy: Restart}}");
  ASSERT_TRUE(Settles()) << MessageOf("Ready");
  const std::string before = VersionNow();
  Put(kKube);
  EXPECT_NE(VersionNow(), before);
  ReconcileOnce();
  EXPECT_THAT(Bindings(), Contains("berth:a:base"));
}

TEST_F(EngineChange, LabelsOfVersionedConfigMapAreCorrected) {
  Put(kKube);
  ASSERT_TRUE(Settles()) << MessageOf("Ready");
  const ObjectKey key{&api::ConfigMap::kResource, "berth-system", VersionNow()};
  cluster_.Edit(key, R"({"metadata":{"labels":{"app.kubernetes.io/component":"other"}}})");
  memory_.Observe(key);
  ReconcileOnce();
  EXPECT_THAT(cluster_.Find(key)->Json(), Not(HasSubstr("other")));
  cluster_.Edit(key, R"({"metadata":{"labels":{"berth.dev/profile":null}}})");
  memory_.Observe(key);
  ReconcileOnce();
  EXPECT_THAT(cluster_.Find(key)->Json(), HasSubstr(R"("berth.dev/profile":"a")"));
}

TEST_F(EngineChange, NameIsInUseUntilTheLastPodServingItIsGone) {
  const auto names = [this] { return cluster_.ProfileNow("a").status.scheduler.names; };
  Put("{engine: {type: KubeScheduler}, aliases: [b]}");
  ASSERT_TRUE(Settles()) << MessageOf("Ready");
  EXPECT_THAT(names(), ElementsAre("a", "b"));
  Put(kKube);
  ASSERT_TRUE(BeginsRollout());
  EXPECT_THAT(names(), ElementsAre("a", "b"));
  ASSERT_TRUE(Settles()) << MessageOf("Ready");
  EXPECT_THAT(names(), ElementsAre("a"));
}

}  // namespace
}  // namespace berth::controllers
