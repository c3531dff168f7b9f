// SPDX-License-Identifier: Apache-2.0
#include "sandbox/apiserver/schema/go_form.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/file.h"
#include "sandbox/apiserver/schema/builtin.h"
#include "sandbox/apiserver/schema/defaults.h"
#include "sandbox/apiserver/schema/prune.h"

namespace berth::apiserver {
namespace {

using nlohmann::json;

const Schema& Kind(const char* group, const char* kind) {
  const Schema* schema = BuiltinSchemas::Get().FindKind({group, "v1", kind});
  EXPECT_NE(schema, nullptr) << kind;
  return *schema;
}

TEST(CheckGoTypes, WordsMistakesAsARealServer) {
  const std::pair<const char*, const char*> kCases[] = {
      {R"({"replicas":"x"})",
       "json: cannot unmarshal string into Go struct field DeploymentSpec.spec.replicas of type "
       "int32"},
      {R"({"replicas":1.5})",
       "json: cannot unmarshal number 1.5 into Go struct field DeploymentSpec.spec.replicas of "
       "type int32"},
      {R"({"replicas":3000000000})",
       "json: cannot unmarshal number 3000000000 into Go struct field DeploymentSpec.spec.replicas "
       "of type int32"},
      {R"({"template":{"spec":{"containers":"x"}}})",
       "json: cannot unmarshal string into Go struct field PodSpec.spec.template.spec.containers "
       "of type []v1.Container"},
      {R"({"template":{"spec":{"containers":["x"]}}})",
       "json: cannot unmarshal string into Go struct field PodSpec.spec.template.spec.containers "
       "of type v1.Container"},
      {R"({"template":{"spec":{"containers":[{"name":3}]}}})",
       "json: cannot unmarshal number into Go struct field "
       "Container.spec.template.spec.containers.name of type string"},
      {R"({"template":{"spec":{"restartPolicy":3}}})",
       "json: cannot unmarshal number into Go struct field "
       "PodSpec.spec.template.spec.restartPolicy of type v1.RestartPolicy"},
      {R"({"template":{"metadata":{"labels":["x"]}}})",
       "json: cannot unmarshal array into Go struct field "
       "ObjectMeta.spec.template.metadata.labels of type map[string]string"},
      {R"({"template":{"metadata":{"labels":{"a":1}}}})",
       "json: cannot unmarshal number into Go struct field "
       "ObjectMeta.spec.template.metadata.labels of type string"},
      {R"({"template":{"spec":{"hostNetwork":"x"}}})",
       "json: cannot unmarshal string into Go struct field PodSpec.spec.template.spec.hostNetwork "
       "of type bool"},
      {R"({"template":{"spec":{"containers":[{"resources":{"limits":{"cpu":"x"}}}]}}})",
       "quantities must match the regular expression "
       "'^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'"},
      {R"({"template":{"spec":{"containers":[{"ports":[{"containerPort":"x"}]}]}}})",
       "json: cannot unmarshal string into Go struct field "
       "ContainerPort.spec.template.spec.containers.ports.containerPort of type int32"},
      {"[]",
       "json: cannot unmarshal array into Go struct field Deployment.spec of type "
       "v1.DeploymentSpec"},
      {R"({"selector":"x"})",
       "json: cannot unmarshal string into Go struct field DeploymentSpec.spec.selector of type "
       "v1.LabelSelector"},
      {R"({"strategy":{"rollingUpdate":{"maxSurge":true}}})",
       "json: cannot unmarshal bool into Go struct field "
       "RollingUpdateDeployment.spec.strategy.rollingUpdate.maxSurge of type int32"},
      {R"({"strategy":{"rollingUpdate":{"maxSurge":1.5}}})",
       "json: cannot unmarshal number 1.5 into Go struct field "
       "RollingUpdateDeployment.spec.strategy.rollingUpdate.maxSurge of type int32"},
      {R"({"template":{"metadata":{"creationTimestamp":"x"}}})",
       R"(parsing time "x" as "2006-01-02T15:04:05Z07:00": cannot parse "x" as "2006")"},
      {R"({"template":{"metadata":{"creationTimestamp":5}}})",
       "json: cannot unmarshal number into Go struct field "
       "ObjectMeta.spec.template.metadata.creationTimestamp of type string"},
      {R"({"template":{"spec":{"tolerations":{}}}})",
       "json: cannot unmarshal object into Go struct field PodSpec.spec.template.spec.tolerations "
       "of type []v1.Toleration"},
      {R"({"template":{"spec":{"nodeSelector":"x"}}})",
       "json: cannot unmarshal string into Go struct field PodSpec.spec.template.spec.nodeSelector "
       "of type map[string]string"},
      {R"({"replicas":null,"template":{"spec":{"containers":null}}})", ""},
  };
  for (const auto& [spec, message] : kCases) {
    const auto result = CheckGoTypes(Kind("apps", "Deployment"), {{"spec", json::parse(spec)}});
    EXPECT_EQ(result ? "" : result.error().message(), message) << spec;
  }
}

TEST(CheckGoTypes, ChecksData) {
  const auto number = CheckGoTypes(Kind("", "ConfigMap"), json::parse(R"({"data":{"a":1}})"));
  EXPECT_EQ(number.error().message(),
            "json: cannot unmarshal number into Go struct field ConfigMap.data of type string");
  const auto bytes = CheckGoTypes(Kind("", "Secret"), json::parse(R"({"data":{"a":"%"}})"));
  EXPECT_EQ(bytes.error().message(), "illegal base64 data at input byte 0");
  EXPECT_TRUE(CheckGoTypes(Kind("", "Secret"), json::parse(R"({"data":{"a":"eA=="}})")));
}

TEST(ToGoForm, DropsWhatGoDoesNotWrite) {
  const std::pair<const char*, const char*> kCases[] = {
      {R"({"spec":{"hostNetwork":false,"nodeName":"","priority":0}})",
       R"({"spec":{"priority":0}})"},
      {R"({"metadata":{"labels":{},"annotations":{"a":""},"finalizers":[]}})",
       R"({"metadata":{"annotations":{"a":""}}})"},
      {R"({"spec":{"nodeSelector":null,"automountServiceAccountToken":false}})",
       R"({"spec":{"automountServiceAccountToken":false}})"},
      {R"({"spec":{"overhead":{"cpu":"1000m","memory":"1024Mi"}}})",
       R"({"spec":{"overhead":{"cpu":"1","memory":"1Gi"}}})"},
      {R"({"spec":{"priority":3.0}})", R"({"spec":{"priority":3}})"},
      {R"({"status":{"startTime":"2026-01-01T01:00:00+01:00"}})",
       R"({"status":{"startTime":"2026-01-01T00:00:00Z"}})"},
  };
  for (const auto& [text, wanted] : kCases) {
    json document = json::parse(text);
    ToGoForm(Kind("", "Pod"), &document);
    EXPECT_EQ(document.dump(), wanted) << text;
  }
}

TEST(ToGoForm, LeavesObjectsOfARealServerAlone) {
  int seen = 0;
  const json cases =
      json::parse(ReadFile("tests/sandbox/apiserver/patch/cases/builtin_kinds.json").value());
  for (const json& test : cases) {
    for (const json& step : test["steps"]) {
      if (!step["expect"].contains("object")) continue;
      const json& object = step["expect"]["object"];
      const std::string version = object["apiVersion"];
      const size_t slash = version.find('/');
      const std::string group = slash == std::string::npos ? "" : version.substr(0, slash);
      const Schema& schema = Kind(group.c_str(), test["type"].get<std::string>().c_str());
      json document = object;
      EXPECT_TRUE(CheckGoTypes(schema, document)) << test["name"];
      EXPECT_EQ(Prune(schema, &document), std::vector<std::string>()) << test["name"];
      ToGoForm(schema, &document);
      Default(schema, &document);
      EXPECT_EQ(document.dump(1), object.dump(1)) << test["name"];
      ++seen;
    }
  }
  EXPECT_GT(seen, 20);
}

}  // namespace
}  // namespace berth::apiserver
