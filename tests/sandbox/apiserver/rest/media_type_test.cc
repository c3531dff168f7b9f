// SPDX-License-Identifier: Apache-2.0
#include "sandbox/apiserver/rest/request/media_type.h"

#include <gtest/gtest.h>

namespace berth::apiserver {
namespace {

constexpr const char* kTable = "application/json;as=Table;v=v1;g=meta.k8s.io";

TEST(Negotiate, SelectsFirstSupportedType) {
  EXPECT_EQ(Negotiate("")->shape, Shape::kObject);
  EXPECT_EQ(Negotiate(std::string(kTable) + ", application/json")->shape, Shape::kTable);
  EXPECT_EQ(Negotiate("application/json;as=Table;v=v9;g=meta.k8s.io, application/json")->shape,
            Shape::kObject);
  EXPECT_TRUE(Negotiate("application/yaml;q=0.5, */*"));
  EXPECT_TRUE(Negotiate("application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList")
                  ->aggregated_discovery);
}

TEST(Negotiate, RejectsTypesOtherThanJson) {
  for (const char* accept : {"text/html", "application/yaml", "application/vnd.kubernetes.protobuf",
                             "application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io"}) {
    const auto rejected = Negotiate(accept);
    ASSERT_FALSE(rejected) << accept;
    EXPECT_EQ(rejected.error().message,
              "406: Not Acceptable\n\nAvailable representations: application/json");
  }
}

}  // namespace
}  // namespace berth::apiserver
