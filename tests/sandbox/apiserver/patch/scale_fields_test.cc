// SPDX-License-Identifier: Apache-2.0
#include "sandbox/apiserver/patch/scale_fields.h"

#include <gtest/gtest.h>

namespace berth::apiserver {
namespace {

using nlohmann::json;

const FieldPath kReplicas = {PathElement::Field("spec"), PathElement::Field("replicas")};

json Entry(const char* manager, const char* operation, const char* version, const char* subresource,
           const json& fields) {
  json entry = {{"manager", manager},    {"operation", operation},
                {"apiVersion", version}, {"fieldsType", "FieldsV1"},
                {"fieldsV1", fields},    {"time", "2026-01-01T00:00:00Z"}};
  if (*subresource != '\0') entry["subresource"] = subresource;
  return entry;
}
json Owning(std::initializer_list<const char*> fields) {
  json spec = json::object();
  for (const char* field : fields) spec[std::string("f:") + field] = json::object();
  return {{"f:spec", spec}};
}

TEST(ScaleManagedFields, AreOfThoseWhoOwnTheReplicas) {
  const json entries = {Entry("maker", "Update", "apps/v1", "", Owning({"replicas", "template"})),
                        Entry("other", "Update", "apps/v1", "", Owning({"template"}))};
  const json scale = ScaleManagedFields(entries, kReplicas);
  ASSERT_EQ(scale.size(), 1U);
  EXPECT_EQ(scale[0], Entry("maker", "Update", "autoscaling/v1", "", Owning({"replicas"})));
  EXPECT_TRUE(ScaleManagedFields(json::array({entries[1]}), kReplicas).is_null());
}

TEST(ParentManagedFields, LoseTheReplicasToWhoScaled) {
  const json entries = {Entry("maker", "Update", "apps/v1", "", Owning({"replicas", "template"}))};
  const json scale = {Entry("scaler", "Update", "autoscaling/v1", "scale", Owning({"replicas"}))};
  const json parent = ParentManagedFields(entries, scale, kReplicas, "apps/v1");
  ASSERT_EQ(parent.size(), 2U);
  json scaler = Entry("scaler", "Update", "apps/v1", "scale", Owning({"replicas"}));
  scaler.erase("time");
  EXPECT_EQ(parent[0], scaler);
  EXPECT_EQ(parent[1], Entry("maker", "Update", "apps/v1", "", Owning({"template"})));
}

TEST(ParentManagedFields, KeepWhoAppliedAndStillOwns) {
  const json entries = {Entry("maker", "Apply", "apps/v1", "", Owning({"replicas", "template"}))};
  const json scale = ScaleManagedFields(entries, kReplicas);
  EXPECT_EQ(ParentManagedFields(entries, scale, kReplicas, "apps/v1"), entries);
}

TEST(ParentManagedFields, ForgetWhoOwnedNothingElse) {
  const json entries = {Entry("maker", "Update", "apps/v1", "", Owning({"replicas"}))};
  EXPECT_TRUE(ParentManagedFields(entries, json(), kReplicas, "apps/v1").is_null());
}

}  // namespace
}  // namespace berth::apiserver
