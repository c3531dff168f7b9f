// SPDX-License-Identifier: Apache-2.0
#include "tests/sandbox/apiserver/patch/cases.h"

#include <map>

#include "base/check.h"
#include "base/file.h"
#include "sandbox/apiserver/schema/builtin.h"
#include "sandbox/apiserver/schema/parse.h"

namespace berth::apiserver {

using nlohmann::json;

std::vector<WriteCase> LoadWriteCases() {
  std::vector<WriteCase> cases;
  for (const char* file : {"maps", "custom_resources", "builtin_kinds", "kubectl"}) {
    const auto text =
        ReadFile(std::string("tests/sandbox/apiserver/patch/cases/") + file + ".json");
    BERTH_CHECK(text, "cases are read from the root of the repository");
    for (json& item : json::parse(*text))
      cases.push_back({item["name"], item["type"], std::move(item["steps"])});
  }
  return cases;
}

GroupVersionKind KindOf(const std::string& type) {
  static const std::map<std::string, std::string> kGroups = {{"Deployment", "apps"},
                                                             {"Role", "rbac.authorization.k8s.io"},
                                                             {"Lease", "coordination.k8s.io"},
                                                             {"Thing", "example.com"}};
  const auto group = kGroups.find(type);
  return {group == kGroups.end() ? "" : group->second, "v1", type};
}

const Schema& SchemaOf(const std::string& type) {
  static const std::shared_ptr<const Schema> kThing = [] {
    const auto text = ReadFile("tests/sandbox/apiserver/testing/thing.json");
    BERTH_CHECK(text, "cases are read from the root of the repository");
    const json crd = json::parse(*text);
    auto schema = ParseResourceSchema(crd["spec"]["versions"][0]["schema"]["openAPIV3Schema"]);
    BERTH_CHECK(schema, schema ? "" : schema.error().message());
    return *schema;
  }();
  if (type == "Thing") return *kThing;
  const Schema* schema = BuiltinSchemas::Get().FindKind(KindOf(type));
  BERTH_CHECK(schema != nullptr, "no built-in kind " + type);
  return *schema;
}

}  // namespace berth::apiserver
