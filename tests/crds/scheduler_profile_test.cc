// SPDX-License-Identifier: Apache-2.0
#include "crds/scheduler_profile.h"

#include <gmock/gmock.h>

#include "crds/schema.h"
#include "tests/crds/catalogue_fixture.h"

namespace berth::crds {
namespace {

TEST(SchedulerProfile, EmptySpecHasDocumentedDefaults) {
  const SchedulerProfile profile = ProfileOf("{}");
  EXPECT_EQ(profile.spec.engine.type, "Berth");
  EXPECT_EQ(profile.spec.namespace_, "") << "the operator sets it";
  EXPECT_EQ(profile.spec.deployment.replicas, 1);
  EXPECT_EQ(profile.spec.deployment.priority_class_name, "system-cluster-critical");
  EXPECT_TRUE(profile.spec.leader_election.leader_elect);
  EXPECT_EQ(profile.spec.leader_election.lease_duration.ToString(), "15s");
  EXPECT_EQ(profile.spec.pod_max_backoff_seconds, 10);
  EXPECT_EQ(profile.status.observed_generation, -1);
}

TEST(PlaceByDefault, PrefersSpecThenStatusThenInstallation) {
  SchedulerProfile profile;
  PlaceByDefault(profile, "one");
  EXPECT_EQ(profile.spec.namespace_, "one");
  PlaceByDefault(profile, "two");
  EXPECT_EQ(profile.spec.namespace_, "one");

  SchedulerProfile placed;
  placed.status.scheduler.namespace_ = "one";
  PlaceByDefault(placed, "two");
  EXPECT_EQ(placed.spec.namespace_, "one") << "the operator was reinstalled into another namespace";
}

// Every default of the schema equals the initial value of its member.
void ExpectDefaultsAgree(const json::Type& type, const void* object, const std::string& path) {
  for (const json::Type::Field& field : type.fields) {
    const std::string at = path + "." + std::string(field.name);
    const json::Type& content = field.type();
    const void* value = field.In(object);
    std::string initial;
    json::EncodeTo(content, value, initial);
    if (content.kind == json::Type::Kind::kObject) {
      ExpectDefaultsAgree(content, value, at);
      // A nested default is reached only if the struct around it has one too.
      EXPECT_EQ(initial == "{}", field.options.default_json.empty()) << at << ": " << initial;
    } else if (!field.options.default_json.empty()) {
      EXPECT_EQ(initial, field.options.default_json) << at;
    } else {
      EXPECT_FALSE(field.always_written)
          << at << " is initially " << initial << " but the schema states no default";
    }
  }
}

TEST(SchedulerProfile, SchemaDefaultsEqualInitialValues) {
  const SchedulerProfileSpec spec;
  ExpectDefaultsAgree(json::TypeOf<SchedulerProfileSpec>(), &spec, "spec");
}

TEST(SchedulerProfile, WithDefaultsFillsEmptyFields) {
  SchedulerProfile profile;
  profile.spec.engine.type = "";
  profile.spec.engine.image_pull_policy = "";
  profile.spec.leader_election.retry_period = Duration();
  profile.spec.logging.format = "";
  profile.spec.rollout.strategy = "";
  profile.spec.deletion_policy = "";
  EXPECT_EQ(WithDefaults(profile), SchedulerProfile{});
}

TEST(SchedulerProfile, WithDefaultsKeepsExplicitValues) {
  SchedulerProfile profile;
  profile.spec.deployment.replicas = 3;
  profile.spec.deployment.priority_class_name = "";  // no priority class
  profile.spec.leader_election.leader_elect = false;
  profile.spec.logging.verbosity = 0;
  EXPECT_EQ(WithDefaults(profile), profile);
}

TEST(SchedulerProfile, RoundTrips) {
  const SchedulerProfile profile = ProfileOf(R"({
    plugins: {score: {enabled: [{name: NodeResourcesFit, weight: 5}], disabled: [{name: "*"}]}},
    pluginConfig: [{name: NodeResourcesFit, args: {scoringStrategy: {type: MostAllocated}}}],
    extenders: [{urlPrefix: "http://x", filterVerb: f, podSelector: {}, httpTimeout: 3s}],
    aliases: [old], assign: {objectSelector: {matchLabels: {a: b}}},
    deployment: {replicas: 2, resources: {requests: {cpu: 100m}}, tolerations: [{operator: Exists}]}})");
  const auto again = json::Decode<SchedulerProfile>(json::Encode(profile), json::Mode::kStrict);
  ASSERT_TRUE(again.has_value()) << again.error().message();
  EXPECT_EQ(*again, profile);
}

TEST(SchedulerProfile, PluginPointsListEveryPluginSetInOrder) {
  std::vector<std::string> points;
  for (const api::PluginPoint& point : api::kPluginPoints) points.emplace_back(point.name);
  EXPECT_EQ(points, json::TypeOf<api::Plugins>().FieldNames());

  api::Plugins plugins;
  for (const api::PluginPoint& point : api::kPluginPoints) {
    (plugins.*point.set).enabled = {{std::string(point.name)}};
  }
  const json::Type& type = json::TypeOf<api::Plugins>();
  for (const json::Type::Field& field : type.fields) {
    const auto& set = *static_cast<const api::PluginSet*>(field.In(&plugins));
    EXPECT_EQ(set.enabled.front().name, field.name);
  }
}

}  // namespace
}  // namespace berth::crds
