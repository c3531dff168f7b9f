// SPDX-License-Identifier: Apache-2.0
#include "tests/sandbox/apiserver/rest/server_fixture.h"

namespace berth::apiserver {
namespace {

using nlohmann::json;

class CustomResources : public HandlerTest {
 protected:
  static constexpr const char* kDefinitions =
      "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
  static constexpr const char* kThings = "/apis/cmp.dev/v1/namespaces/default/things";

  void SetUp() override {
    const json definition =
        json::parse(R"({"metadata": {"name": "things.cmp.dev"}, "spec": {"group": "cmp.dev",
      "scope": "Namespaced", "names": {"plural": "things", "kind": "Thing"}, "versions": [{"name": "v1", "served": true,
      "storage": true, "subresources": {"status": {}}, "additionalPrinterColumns": [{"name": "N", "type": "integer",
      "jsonPath": ".spec.n"}], "schema": {"openAPIV3Schema": {"type": "object", "properties": {
      "spec": {"type": "object", "required": ["n"],
        "x-kubernetes-validations": [{"rule": "self.n != 7", "message": "no seven"}],
        "properties": {"n": {"type": "integer", "maximum": 9}, "s": {"type": "string", "default": "dflt"}}},
      "status": {"type": "object", "properties": {"n": {"type": "integer"}}}}}}}]}})");
    const auto made = Send("POST", kDefinitions, definition);
    ASSERT_EQ(made.code, 201) << made.text;
  }
  static json Thing(const std::string& name, json spec) {
    return {{"apiVersion", "cmp.dev/v1"},
            {"kind", "Thing"},
            {"metadata", {{"name", name}}},
            {"spec", std::move(spec)}};
  }
};

TEST_F(CustomResources, AreServedAfterDefinition) {
  const auto definition = Send("GET", std::string(kDefinitions) + "/things.cmp.dev");
  EXPECT_EQ(definition.body["status"]["conditions"][1]["type"], "Established");
  EXPECT_EQ(Send("GET", "/apis/cmp.dev/v1").body["resources"][0]["name"], "things");
  EXPECT_EQ(Send("GET", kThings).body["kind"], "ThingList");
}

TEST_F(CustomResources, ArePrunedDefaultedAndValidated) {
  const auto made = Send("POST", kThings, Thing("a", {{"n", 1}, {"zz", 2}}));
  ASSERT_EQ(made.code, 201) << made.text;
  EXPECT_EQ(made.body["spec"], json({{"n", 1}, {"s", "dflt"}}));
  EXPECT_EQ(Send("POST", kThings, Thing("b", {{"n", 7}})).message(),
            "Thing.cmp.dev \"b\" is invalid: spec: Invalid value: no seven");
  EXPECT_EQ(Send("POST", kThings, Thing("b", {{"n", 10}})).code, 422);
  EXPECT_EQ(Send("POST", kThings, Thing("b", json::object())).body["details"]["causes"][0]["field"],
            "spec.n");
}

TEST_F(CustomResources, HaveTheMetadataOfEveryKind) {
  json thing = Thing("a", {{"n", 1}});
  thing["metadata"]["finalizers"] = "x";
  EXPECT_EQ(Send("POST", kThings, thing).code, 400);
  thing["metadata"] = {{"name", 5}};
  EXPECT_EQ(Send("POST", kThings, thing).code, 400);
  thing["metadata"] = "x";
  EXPECT_EQ(Send("POST", kThings, thing).code, 400);
}

TEST_F(CustomResources, StatusIsASubresource) {
  Send("POST", kThings, Thing("a", {{"n", 1}}));
  const std::string path = std::string(kThings) + "/a";
  const auto main = Send("PATCH", path, {{"spec", {{"n", 2}}}, {"status", {{"n", 5}}}}, kMerge);
  EXPECT_FALSE(main.body.contains("status"));
  EXPECT_EQ(main.body["metadata"]["generation"], 2);
  const auto status =
      Send("PATCH", path + "/status", {{"spec", {{"n", 3}}}, {"status", {{"n", 5}}}}, kMerge);
  EXPECT_EQ(status.body["status"]["n"], 5);
  EXPECT_EQ(status.body["spec"]["n"], 2);
  EXPECT_EQ(status.body["metadata"]["generation"], 2);
  EXPECT_EQ(
      Send("PATCH", path, {{"spec", {{"n", 3}}}}, "application/strategic-merge-patch+json").code,
      415);
}

TEST_F(CustomResources, AreDeletedWithTheirDefinition) {
  Send("POST", kThings, Thing("a", {{"n", 1}}));
  json held = Thing("b", {{"n", 1}});
  held["metadata"]["finalizers"] = {"x.dev/y"};
  Send("POST", kThings, held);
  EXPECT_EQ(Send("DELETE", std::string(kDefinitions) + "/things.cmp.dev").code, 200);
  EXPECT_EQ(Send("GET", std::string(kThings) + "/a").code, 404);
  EXPECT_EQ(
      Send("PATCH", std::string(kThings) + "/b", {{"metadata", {{"finalizers", nullptr}}}}, kMerge)
          .code,
      200);
  EXPECT_EQ(Send("GET", std::string(kDefinitions) + "/things.cmp.dev").code, 404);
  EXPECT_EQ(Send("GET", kThings).code, 404);
}

TEST_F(CustomResources, RejectDefinitionWithWrongName) {
  const auto rejected = Send("POST", kDefinitions,
                             {{"metadata", {{"name", "x"}}},
                              {"spec",
                               {{"group", "g.dev"},
                                {"scope", "Cluster"},
                                {"names", {{"plural", "ps"}, {"kind", "P"}}},
                                {"versions", json::array()}}}});
  EXPECT_EQ(rejected.code, 422);
  EXPECT_EQ(rejected.body["details"]["causes"][0]["field"], "metadata.name");
}

}  // namespace
}  // namespace berth::apiserver
