// SPDX-License-Identifier: Apache-2.0
#include "crds/manifest.h"

#include <gmock/gmock.h>

#include "base/file.h"
#include "base/json/json.h"
#include "base/yaml/yaml.h"

namespace berth::crds {
namespace {

TEST(Manifest, IsWhatTheTypesSay) {
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

}  // namespace
}  // namespace berth::crds
