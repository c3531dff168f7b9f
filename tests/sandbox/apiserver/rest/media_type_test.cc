// SPDX-License-Identifier: Apache-2.0
#include "sandbox/apiserver/rest/request/media_type.h"

#include <gtest/gtest.h>

namespace berth::apiserver {
namespace {

constexpr const char* kTable = "application/json;as=Table;v=v1;g=meta.k8s.io";

TEST(Negotiate, TakesTheFirstThatIsServed) {
  EXPECT_EQ(Negotiate("", {})->shape, Shape::kObject);
  EXPECT_EQ(Negotiate(std::string(kTable) + ", application/json", {})->shape, Shape::kTable);
  EXPECT_EQ(Negotiate("application/json;as=Table;v=v9;g=meta.k8s.io, application/json", {})->shape,
            Shape::kObject);
  EXPECT_TRUE(Negotiate("text/html, application/yaml", {})->yaml);
  EXPECT_FALSE(Negotiate("application/yaml;q=0.5, */*", {})->yaml);
}

TEST(Negotiate, TellsObjectsFromListsOfMetadata) {
  EXPECT_EQ(Negotiate("application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io", {})->shape,
            Shape::kMetadata);
  EXPECT_EQ(
      Negotiate("application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io", {})->shape,
      Shape::kMetadataList);
  EXPECT_TRUE(Negotiate("application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList", {})
                  ->aggregated_discovery);
}

TEST(Negotiate, RefusesAsTheRouterDoes) {
  const std::string offered =
      "406: Not Acceptable\n\nAvailable representations: application/json, application/yaml, "
      "application/vnd.kubernetes.protobuf";
  for (const char* accept : {"text/html", "application/*"}) {
    const auto refused = Negotiate(accept, {});
    ASSERT_FALSE(refused) << accept;
    EXPECT_EQ(refused.error().message, offered);
    EXPECT_TRUE(refused.error().empty_details);
  }
  EXPECT_EQ(
      Negotiate("text/html", {.is_list = true}).error().message,
      offered +
          ", application/json;stream=watch, application/vnd.kubernetes.protobuf;stream=watch");
}

TEST(Negotiate, RefusesAsTheHandlerBehindItDoes) {
  const std::string offered =
      "only the following media types are accepted: application/json, application/yaml, "
      "application/vnd.kubernetes.protobuf";
  EXPECT_EQ(Negotiate("application/json;as=Foo", {}).error().message, offered);
  EXPECT_EQ(Negotiate("text/html", {.is_routed = false}).error().message, offered);
  EXPECT_TRUE(Negotiate("application/*", {.is_routed = false}));
  EXPECT_EQ(Negotiate("application/yaml", {.is_list = true, .is_watch = true}).error().message,
            "only the following media types are accepted: application/json;stream=watch, "
            "application/vnd.kubernetes.protobuf;stream=watch");
}

}  // namespace
}  // namespace berth::apiserver
