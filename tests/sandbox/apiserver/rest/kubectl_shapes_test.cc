// SPDX-License-Identifier: Apache-2.0
#include "api/kubernetes_version.h"
#include "sandbox/apiserver/rest/discovery.h"
#include "sandbox/apiserver/rest/presenter.h"
#include "sandbox/apiserver/rest/protobuf/protobuf.h"
#include "sandbox/apiserver/rest/tables/printer.h"
#include "tests/sandbox/apiserver/rest/server_fixture.h"

namespace berth::apiserver {
namespace {

using nlohmann::json;
using namespace std::string_literals;

class KubectlShapes : public HandlerTest {};

TEST_F(KubectlShapes, PodsAreServedAsTable) {
  Send("POST", kPods, Pod("a"));
  const auto table =
      Send("GET", kPods, nullptr, "", "application/json;as=Table;v=v1;g=meta.k8s.io");
  EXPECT_EQ(table.body["kind"], "Table");
  EXPECT_EQ(table.body["rows"][0]["cells"],
            json({"a", "0/1", "Pending", "0", "0s", "<none>", "<none>", "<none>", "<none>"}));
  EXPECT_EQ(table.body["rows"][0]["object"]["kind"], "PartialObjectMetadata");
}

TEST_F(KubectlShapes, DiscoveryIsAggregatedOnRequest) {
  const auto apis = Send("GET", "/apis", nullptr, "",
                         "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList");
  EXPECT_EQ(apis.body["kind"], "APIGroupDiscoveryList");
  EXPECT_EQ(apis.body["items"][0]["metadata"]["name"], "apps");
  EXPECT_EQ(Send("GET", "/apis").body["kind"], "APIGroupList");
  EXPECT_EQ(Send("GET", "/apis/nope/v1").code, 404);
}

TEST_F(KubectlShapes, OpenApiListsEveryGroupVersion) {
  EXPECT_TRUE(Send("GET", "/openapi/v3").body["paths"].contains("apis/apps/v1"));
  const auto core = Send("GET", "/openapi/v3/api/v1");
  EXPECT_TRUE(core.body["components"]["schemas"].contains("io.k8s.api.core.v1.Pod"));
  EXPECT_TRUE(core.body["paths"].contains("/api/v1/namespaces/{namespace}/pods/{name}"));
}

TEST_F(KubectlShapes, OpenApiV2HasNoDefinition) {
  EXPECT_EQ(OpenApiV2Document(),
            "\n\x03"
            "2.0"
            "\x12\x15"
            "\n\nKubernetes"
            "\x12\x07" +
                std::string(api::kReferenceRelease));
}

TEST_F(KubectlShapes, RejectsOtherMediaTypes) {
  EXPECT_EQ(Send("GET", kPods, nullptr, "", "application/foo").code, 406);
  EXPECT_EQ(Send("GET", kPods, nullptr, "", "application/yaml").code, 406);
}

TEST(Protobuf, DecodesObjectsOfKubectl) {
  const std::string body =
      "k8s\0\n\x0f\n\x02v1\x12\tNamespace\x12\x19\n\x11\n\x01t\x12\0\x1a\0\"\0*\0"
      "2\0"
      "8\0B\0\x12\0\x1a\x02\n\0\x1a\0\"\0"s;
  const auto document = DecodeProtobuf(body);
  ASSERT_TRUE(document);
  EXPECT_EQ((*document)["kind"], "Namespace");
  EXPECT_EQ((*document)["metadata"]["name"], "t");
}

TEST(Protobuf, RejectsTruncatedBytes) {
  EXPECT_EQ(DecodeProtobuf("k8s\0\n\x7f"s).error().code, 400);
  EXPECT_EQ(DecodeProtobuf("{}").error().code, 400);
}

TEST(HumanDuration, PrecisionDecreasesWithLength) {
  using namespace std::chrono_literals;
  EXPECT_EQ(HumanDuration(119s), "119s");
  EXPECT_EQ(HumanDuration(200s), "3m20s");
  EXPECT_EQ(HumanDuration(100min), "100m");
  EXPECT_EQ(HumanDuration(5h + 3min), "5h3m");
  EXPECT_EQ(HumanDuration(51h), "2d3h");
  EXPECT_EQ(HumanDuration(-5s), "<invalid>");
}

}  // namespace
}  // namespace berth::apiserver
