// SPDX-License-Identifier: Apache-2.0
#include "sandbox/apiserver/patch/managed_fields.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace berth::apiserver {
namespace {

using nlohmann::json;

json Entry(const char* manager, const char* operation, const char* time,
           const char* version = "v1") {
  json entry = {{"manager", manager},
                {"operation", operation},
                {"apiVersion", version},
                {"fieldsType", "FieldsV1"},
                {"fieldsV1", {{std::string("f:") + manager, json::object()}}}};
  if (*time != '\0') entry["time"] = time;
  return entry;
}

std::vector<std::string> Names(const json& entries) {
  std::vector<std::string> names;
  for (const json& entry : entries) names.push_back(entry["manager"]);
  return names;
}

TEST(ManagedFields, AreSortedByOperationTimeManagerAndVersion) {
  const json entries = {Entry("z", "Update", "2026-01-01T00:00:01Z"),
                        Entry("b", "Update", "2026-01-01T00:00:00Z"),
                        Entry("a", "Update", "2026-01-01T00:00:00Z", "v2"),
                        Entry("a", "Update", "2026-01-01T00:00:00Z", "v1"),
                        Entry("y", "Apply", "2026-01-01T00:00:09Z"),
                        Entry("x", "Update", "")};
  auto managed = ManagedFields::Decode(entries);
  ASSERT_TRUE(managed);
  const json encoded = std::move(*managed).Encode();
  EXPECT_EQ(Names(encoded), (std::vector<std::string>{"y", "x", "a", "a", "b", "z"}));
  EXPECT_EQ(encoded[2]["apiVersion"], "v1");
}

TEST(ManagedFields, SurviveTheRoundTrip) {
  json entry = Entry("a", "Update", "2026-01-01T00:00:00Z");
  entry["subresource"] = "status";
  const json entries = json::array({entry});
  EXPECT_EQ(std::move(*ManagedFields::Decode(entries)).Encode(), entries);
  EXPECT_EQ(ManagedFields().Encode(), json());
}

TEST(ManagedFields, RejectInvalidEntries) {
  const std::pair<json, const char*> kCases[] = {
      {{{"operation", "Replace"}}, "operation must be `Apply` or `Update`"},
      {{{"operation", "Apply"}}, "apiVersion must not be empty"},
      {{{"operation", "Apply"}, {"apiVersion", "v1"}},
       "missing fieldsType in managed fields entry 0"},
      {{{"operation", "Apply"}, {"apiVersion", "v1"}, {"fieldsType", "FieldsV2"}},
       "invalid fieldsType \"FieldsV2\" in managed fields entry 0"}};
  for (const auto& [entry, message] : kCases) {
    const auto managed = ManagedFields::Decode(json::array({entry}));
    ASSERT_FALSE(managed) << entry;
    EXPECT_EQ(managed.error().message(), message);
  }
}

TEST(ManagerId, ToStringMatchesConflictMessages) {
  EXPECT_EQ((ManagerId{"kubectl", true, "", ""}).ToString(), "\"kubectl\"");
  EXPECT_EQ((ManagerId{"edit", false, "apps/v1", ""}).ToString(), "\"edit\" using apps/v1");
  EXPECT_EQ((ManagerId{"hpa", false, "apps/v1", "scale"}).ToString(),
            "\"hpa\" with subresource \"scale\" using apps/v1");
}

}  // namespace
}  // namespace berth::apiserver
