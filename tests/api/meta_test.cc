// SPDX-License-Identifier: Apache-2.0
#include "api/meta.h"

#include <gtest/gtest.h>

#include "api/apps.h"
#include "api/node.h"
#include "api/pod.h"
#include "api/rbac.h"
#include "base/json/json.h"

namespace berth::api {
namespace {

TEST(ResourceInfo, BuildsPaths) {
  struct Case {
    ResourceInfo resource;
    std::string_view namespace_name, name, subresource, path;
  };
  const Case cases[] = {
      {Pod::kResource, "", "", "", "/api/v1/pods"},
      {Pod::kResource, "ns", "", "", "/api/v1/namespaces/ns/pods"},
      {Pod::kResource, "ns", "a", "", "/api/v1/namespaces/ns/pods/a"},
      {Pod::kResource, "ns", "a", "binding", "/api/v1/namespaces/ns/pods/a/binding"},
      {Node::kResource, "", "n", "status", "/api/v1/nodes/n/status"},
      {Deployment::kResource, "ns", "d", "", "/apis/apps/v1/namespaces/ns/deployments/d"},
      {ClusterRole::kResource, "", "berth:a b/%", "",
       "/apis/rbac.authorization.k8s.io/v1/clusterroles/berth:a%20b%2F%25"},
  };
  for (const Case& c : cases) {
    EXPECT_EQ(c.resource.Path(c.namespace_name, c.name, c.subresource), c.path);
  }
  EXPECT_EQ(Pod::kResource.ApiVersion(), "v1");
  EXPECT_EQ(Deployment::kResource.ApiVersion(), "apps/v1");
}

TEST(ObjectMeta, ReturnsKeyAndController) {
  ObjectMeta metadata{.name = "a"};
  EXPECT_EQ(KeyOf(metadata), "a");
  metadata.namespace_ = "ns";
  EXPECT_EQ(KeyOf(metadata), "ns/a");
  EXPECT_EQ(ControllerOf(metadata), nullptr);
  metadata.owner_references = {{.name = "watcher"}, {.name = "owner", .controller = true}};
  ASSERT_NE(ControllerOf(metadata), nullptr);
  EXPECT_EQ(ControllerOf(metadata)->name, "owner");
}

TEST(Status, DecodesAnApiError) {
  const auto status = json::Decode<Status>(R"({"kind":"Status","apiVersion":"v1","metadata":{},
    "status":"Failure","message":"Lease.coordination.k8s.io \"x\" is invalid","reason":"Invalid",
    "details":{"name":"x","group":"coordination.k8s.io","kind":"Lease","retryAfterSeconds":2,
    "causes":[{"reason":"FieldValueInvalid","message":"Invalid value: 0","field":"spec.a"}]},
    "code":422})");
  ASSERT_TRUE(status) << status.error().message();
  EXPECT_EQ(status->code, 422);
  EXPECT_EQ(status->reason, "Invalid");
  ASSERT_TRUE(status->details);
  EXPECT_EQ(status->details->retry_after_seconds, 2);
  EXPECT_EQ(status->details->causes[0].field, "spec.a");
}

TEST(WatchEvent, KeepsTheObjectAsRawJson) {
  const auto event = json::Decode<WatchEvent>(
      R"({"type":"BOOKMARK","object":{"kind":"Pod","apiVersion":"v1","metadata":{"resourceVersion":"7"}}})");
  ASSERT_TRUE(event);
  const auto header = json::Decode<ObjectHeader>(event->object.text);
  ASSERT_TRUE(header);
  EXPECT_EQ(event->type, "BOOKMARK");
  EXPECT_EQ(header->kind, "Pod");
  EXPECT_EQ(header->metadata.resource_version, "7");
}

TEST(List, DecodesAPage) {
  const auto list = json::Decode<List<Pod>>(
      R"({"kind":"PodList","apiVersion":"v1","metadata":{"resourceVersion":"9","continue":"abc",
          "remainingItemCount":1},"items":[{"metadata":{"name":"a"}},{"metadata":{"name":"b"}}]})");
  ASSERT_TRUE(list) << list.error().message();
  EXPECT_EQ(list->metadata.continue_, "abc");
  EXPECT_EQ(list->metadata.remaining_item_count, 1);
  ASSERT_EQ(list->items.size(), 2u);
  EXPECT_EQ(list->items[1]->metadata.name, "b");
}

TEST(Condition, EncodesRequiredFieldsEvenIfEmpty) {
  EXPECT_EQ(json::Encode(Condition{.type = "Ready", .status = "True", .reason = "Ok"}),
            R"({"message":"","reason":"Ok","status":"True","type":"Ready"})");
}

}  // namespace
}  // namespace berth::api
