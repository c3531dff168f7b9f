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

TEST(CheckGoTypes, ErrorNamesFieldAndType) {
  const std::pair<const char*, const char*> kCases[] = {
      {R"({"replicas":"x"})", R"(spec.replicas: an integer is expected, found "x")"},
      {R"({"replicas":1.5})", "spec.replicas: an integer is expected, found 1.5"},
      {R"({"replicas":3000000000})", "spec.replicas: an integer is expected, found 3000000000"},
      {R"({"template":{"spec":{"containers":"x"}}})",
       R"(spec.template.spec.containers: a list is expected, found "x")"},
      {R"({"template":{"spec":{"containers":["x"]}}})",
       R"(spec.template.spec.containers: an object is expected, found "x")"},
      {R"({"template":{"spec":{"containers":[{"name":3}]}}})",
       "spec.template.spec.containers.name: a string is expected, found 3"},
      {R"({"template":{"metadata":{"labels":{"a":1}}}})",
       "spec.template.metadata.labels.a: a string is expected, found 1"},
      {R"({"template":{"spec":{"hostNetwork":"x"}}})",
       R"(spec.template.spec.hostNetwork: a boolean is expected, found "x")"},
      {R"({"template":{"spec":{"containers":[{"resources":{"limits":{"cpu":"x"}}}]}}})",
       "quantities must match the regular expression "
       "'^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'"},
      {R"({"strategy":{"rollingUpdate":{"maxSurge":true}}})",
       "spec.strategy.rollingUpdate.maxSurge: an integer or a string is expected, found true"},
      {R"({"template":{"metadata":{"creationTimestamp":"x"}}})", R"("x" is not a date-time)"},
      {R"({"replicas":null,"template":{"spec":{"containers":null}}})", ""},
  };
  for (const auto& [spec, message] : kCases) {
    const auto result = CheckGoTypes(Kind("apps", "Deployment"), {{"spec", json::parse(spec)}});
    EXPECT_EQ(result ? "" : result.error().message(), message) << spec;
  }
}

TEST(CheckGoTypes, ChecksBase64Data) {
  const auto bytes = CheckGoTypes(Kind("", "Secret"), json::parse(R"({"data":{"a":"%"}})"));
  EXPECT_EQ(bytes.error().message(), R"("%" is not a byte)");
  EXPECT_TRUE(CheckGoTypes(Kind("", "Secret"), json::parse(R"({"data":{"a":"eA=="}})")));
}

TEST(ToGoForm, DropsEmptyValuesWithOmitempty) {
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

TEST(ToGoForm, KeepsObjectsOfARealServer) {
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
