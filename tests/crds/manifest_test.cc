// SPDX-License-Identifier: Apache-2.0
#include "crds/manifest.h"

#include <gmock/gmock.h>

#include "base/file.h"
#include "base/json/json.h"
#include "base/yaml/yaml.h"
#include "crds/pod_group.h"

namespace berth::crds {
namespace {

TEST(Manifest, MatchesTypes) {
  const auto text = ReadFile(std::string(kManifestPath));
  ASSERT_TRUE(text.has_value()) << text.error().message();
  const bool fresh = yaml::ToJson(*text).value() == json::Encode(SchedulerProfileDefinition());
  EXPECT_TRUE(fresh) << kManifestPath << " is stale: run `make generate`";
}

TEST(SchedulerProfileDefinition, HasNamesColumnsAndStatus) {
  const auto definition = SchedulerProfileDefinition();
  EXPECT_EQ(definition.metadata.name, "schedulerprofiles.berth.dev");
  EXPECT_EQ(definition.spec.scope, "Cluster");
  EXPECT_THAT(definition.spec.names.short_names, testing::ElementsAre("sprof"));
  EXPECT_THAT(definition.spec.names.categories, testing::ElementsAre("berth"));
  ASSERT_EQ(definition.spec.versions.size(), 1u);
  const auto& version = definition.spec.versions[0];
  EXPECT_TRUE(version.subresources.has_value());
  std::vector<std::string> columns;
  for (const auto& column : version.additional_printer_columns) {
    columns.push_back(column.name);
    EXPECT_EQ(column.priority, column.name == "Message" ? 1 : 0);
  }
  EXPECT_THAT(columns, testing::ElementsAre("Ready", "Reason", "Replicas", "Plugins", "Pending",
                                            "Age", "Message"));
}

// Adds the paths of all fields without a description, which `kubectl explain` shows. The API server
// describes metadata itself and accepts no other text.
void AddUndescribed(const api::JsonSchemaProps& schema, const std::string& path,
                    std::vector<std::string>& out) {
  for (const auto& [name, property] : schema.properties) {
    const std::string inner = path + "." + name;
    if (property.description.empty() && inner != ".metadata") out.push_back(inner);
    AddUndescribed(property, inner, out);
  }
  if (schema.items) AddUndescribed(*schema.items, path + "[]", out);
  if (schema.additional_properties) AddUndescribed(*schema.additional_properties, path, out);
}

TEST(Definition, DescribesEachField) {
  for (const auto& definition : {SchedulerProfileDefinition(), PodGroupDefinition()}) {
    std::vector<std::string> undescribed;
    AddUndescribed(*definition.spec.versions[0].schema.open_api_v3_schema, "", undescribed);
    EXPECT_THAT(undescribed, testing::IsEmpty()) << definition.metadata.name;
  }
}

// Clusters may have the definition of the scheduler-plugins project, so both must agree.
TEST(PodGroupDefinition, MatchesSchedulerPluginsDefinition) {
  const auto definition = PodGroupDefinition();
  EXPECT_EQ(definition.metadata.name, "podgroups.scheduling.x-k8s.io");
  EXPECT_EQ(definition.spec.scope, "Namespaced");
  EXPECT_THAT(definition.spec.names.short_names, testing::ElementsAre("pg", "pgs"));
  ASSERT_EQ(definition.spec.versions.size(), 1u);
  const auto& version = definition.spec.versions[0];
  EXPECT_EQ(version.name, "v1alpha1");
  EXPECT_TRUE(version.subresources.has_value());
  std::vector<std::string> columns;
  for (const auto& column : version.additional_printer_columns) columns.push_back(column.name);
  EXPECT_THAT(columns,
              testing::ElementsAre("Phase", "MinMember", "Running", "Succeeded", "Failed", "Age"));
  const auto& schema = *version.schema.open_api_v3_schema;
  const auto names = [](const api::JsonSchemaProps& object) {
    std::vector<std::string> keys;
    for (const auto& [key, value] : object.properties) keys.push_back(key);
    return keys;
  };
  const auto& spec = schema.properties.at("spec");
  EXPECT_THAT(names(spec),
              testing::UnorderedElementsAre("minMember", "minResources", "scheduleTimeoutSeconds"));
  EXPECT_EQ(spec.properties.at("minMember").minimum, 1);
  EXPECT_THAT(spec.required, testing::IsEmpty());
  EXPECT_THAT(names(schema.properties.at("status")),
              testing::UnorderedElementsAre("phase", "occupiedBy", "running", "succeeded", "failed",
                                            "scheduleStartTime"));
}

}  // namespace
}  // namespace berth::crds
