// SPDX-License-Identifier: Apache-2.0
#include "sandbox/apiserver/schema/builtin.h"

#include <algorithm>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "sandbox/apiserver/schema/openapi.h"
#include "tests/sandbox/apiserver/schema/thing.h"

namespace berth::apiserver {
namespace {

using nlohmann::json;

TEST(BuiltinSchemas, ContainAllBuiltinKinds) {
  for (const GroupVersionKind& kind : std::vector<GroupVersionKind>{
           {"", "v1", "Pod"},
           {"", "v1", "PodList"},
           {"apps", "v1", "Deployment"},
           {"rbac.authorization.k8s.io", "v1", "ClusterRoleBinding"},
           {"policy", "v1", "Eviction"},
           {"coordination.k8s.io", "v1", "Lease"},
           {"events.k8s.io", "v1", "Event"},
           {"scheduling.k8s.io", "v1", "PriorityClass"},
           {"storage.k8s.io", "v1", "StorageClass"},
           {"admissionregistration.k8s.io", "v1", "ValidatingAdmissionPolicy"},
           {"apiextensions.k8s.io", "v1", "CustomResourceDefinition"},
           {"authentication.k8s.io", "v1", "TokenReview"},
           {"authorization.k8s.io", "v1", "SelfSubjectAccessReview"},
           {"networking.k8s.io", "v1", "NetworkPolicy"},
           {"autoscaling", "v1", "Scale"}})
    EXPECT_NE(BuiltinSchemas::Get().FindKind(kind), nullptr)
        << kind.ApiVersion() << " " << kind.kind;
  EXPECT_EQ(BuiltinSchemas::Get().FindKind({"", "v1", "Nope"}), nullptr);
}

TEST(BuiltinSchemas, HaveTheListTypes) {
  const Schema* spec = BuiltinSchemas::Get().Find("io.k8s.api.core.v1.PodSpec");
  ASSERT_NE(spec, nullptr);
  const Slot* containers = spec->FindProperty("containers");
  ASSERT_NE(containers, nullptr);
  EXPECT_TRUE(containers->required);
  EXPECT_EQ(containers->schema->list_type, ListType::kMap);
  EXPECT_EQ(containers->patch.merge_key, "name");
  EXPECT_EQ(spec->FindProperty("tolerations")->schema->list_type, ListType::kAtomic);
  EXPECT_EQ(spec->FindProperty("nodeSelector")->schema->map_type, MapType::kAtomic);
  EXPECT_EQ(spec->TypeOf("nope"), nullptr);

  const Schema* meta = BuiltinSchemas::Get().Find(kObjectMetaType);
  EXPECT_EQ(meta->FindProperty("finalizers")->schema->list_type, ListType::kSet);
  EXPECT_EQ(meta->FindProperty("labels")->schema->map_type, MapType::kGranular);
}

TEST(ParseResourceSchema, RejectsInvalidSchema) {
  const std::pair<const char*, const char*> kCases[] = {
      {"[]", "a schema must be an object"},
      {R"({"type":"text"})",
       "type: \"text\": allowed are object, array, string, integer, number and boolean"},
      {R"({"properties":{"a":{"$ref":"#/components/schemas/Nope"}}})",
       "$ref: no type is named Nope"},
      {R"({"properties":{"a":{"type":"string","pattern":"("}}})",
       "pattern: \"(\": must be a valid regular expression, but isn't: error parsing regexp: "
       "missing ): ("},
      {R"({"properties":{"a":{"oneOf":[{"type":"string"}]}}})",
       "allOf, anyOf, oneOf, not, multipleOf, minProperties, uniqueItems and exclusive bounds are "
       "not served by this server: they need a real API server"}};
  for (const auto& [source, message] : kCases) {
    const auto schema = ParseResourceSchema(json::parse(source));
    ASSERT_FALSE(schema) << source;
    EXPECT_EQ(schema.error().message(), message);
  }
  EXPECT_FALSE(ParseResourceSchema(json::parse(R"({"required":[1]})")));
}

TEST(ComponentSchemas, IncludeEveryReferencedType) {
  const PublishedKind kKinds[] = {{{"apps", "v1", "Deployment"}, nullptr}};
  const json schemas = ComponentSchemas(kKinds);
  EXPECT_TRUE(schemas.contains("io.k8s.api.core.v1.Container"));
  EXPECT_TRUE(schemas.contains("io.k8s.apimachinery.pkg.api.resource.Quantity"));
  EXPECT_FALSE(schemas.contains("io.k8s.api.core.v1.Node"));
  const json& spec = schemas["io.k8s.api.apps.v1.Deployment"]["properties"]["spec"];
  EXPECT_EQ(spec["allOf"][0]["$ref"], "#/components/schemas/io.k8s.api.apps.v1.DeploymentSpec");
  EXPECT_EQ(schemas.dump().find("\"x-empty\""), std::string::npos);
}

TEST(ComponentSchemas, IncludeCustomKindsAndTheirLists) {
  const json source = json::parse(
      R"({"type":"object","description":"A thing.","properties":{"spec":{"type":"object"}}})");
  const PublishedKind kKinds[] = {{{"example.com", "v1", "Thing"}, &source}};
  const json schemas = ComponentSchemas(kKinds);
  const json& thing = schemas["com.example.v1.Thing"];
  EXPECT_EQ(thing["description"], "A thing.");
  EXPECT_EQ(thing["properties"]["metadata"]["$ref"],
            "#/components/schemas/io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta");
  EXPECT_EQ(thing["x-kubernetes-group-version-kind"][0]["kind"], "Thing");
  EXPECT_EQ(schemas["com.example.v1.ThingList"]["properties"]["items"]["items"]["$ref"],
            "#/components/schemas/com.example.v1.Thing");
  EXPECT_TRUE(schemas.contains("io.k8s.apimachinery.pkg.apis.meta.v1.ListMeta"));
}

}  // namespace
}  // namespace berth::apiserver
