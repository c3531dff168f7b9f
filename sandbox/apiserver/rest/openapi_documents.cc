// SPDX-License-Identifier: Apache-2.0
#include <nlohmann/json.hpp>

#include "api/kubernetes_version.h"
#include "base/names.h"
#include "base/strings.h"
#include "sandbox/apiserver/document.h"
#include "sandbox/apiserver/rest/discovery.h"
#include "sandbox/apiserver/schema/openapi.h"

namespace berth::apiserver {
namespace {

using nlohmann::json;

constexpr const char* kTitle = "Kubernetes";

std::string PathOf(const KindRegistry::Group& group, const KindRegistry::Version& version) {
  return group.name.empty() ? "api/" + version.name : "apis/" + group.name + "/" + version.name;
}

// Clients read the kind of a path and the accepted parameters from it.
json Operation(const KindInfo& kind, const char* action, bool has_body,
               const std::vector<const char*>& parameters) {
  json operation = {{"x-kubernetes-action", action},
                    {"x-kubernetes-group-version-kind",
                     {{"group", kind.group}, {"version", kind.version}, {"kind", kind.kind}}},
                    {"responses", {{"200", {{"description", "OK"}}}}}};
  for (const char* name : parameters) {
    operation["parameters"].push_back(
        {{"name", name}, {"in", "query"}, {"schema", {{"type", "string"}, {"uniqueItems", true}}}});
  }
  if (has_body)
    operation["requestBody"] = {{"content", {{"*/*", {{"schema", {{"type", "object"}}}}}}}};
  return operation;
}

json PathsOf(const KindRegistry::Group& group, const KindRegistry::Version& version) {
  const std::vector<const char*> write = {"dryRun", "fieldManager", "fieldValidation"};
  const std::vector<const char*> patch = {"dryRun", "fieldManager", "fieldValidation", "force"};
  json paths = json::object();
  for (const KindPtr& kind : version.kinds) {
    const std::string base = "/" + PathOf(group, version) +
                             (kind->namespaced ? "/namespaces/{namespace}/" : "/") + kind->plural;
    json& collection = paths[base];
    if (kind->HasVerb("list")) collection["get"] = Operation(*kind, "list", false, {});
    collection["post"] = Operation(*kind, "post", true, write);
    if (!kind->stored) continue;
    json& object = paths[base + "/{name}"];
    object["get"] = Operation(*kind, "get", false, {});
    object["put"] = Operation(*kind, "put", true, write);
    object["patch"] = Operation(*kind, "patch", true, patch);
    object["delete"] =
        Operation(*kind, "delete", true, {"dryRun", "gracePeriodSeconds", "propagationPolicy"});
  }
  return paths;
}

}  // namespace

json OpenApiIndex(const KindRegistry& kinds) {
  json paths = json::object();
  for (const KindRegistry::Group& group : kinds.groups()) {
    for (const KindRegistry::Version& version : group.versions) {
      const std::string path = PathOf(group, version);
      std::string content;
      for (const KindPtr& kind : version.kinds)
        content += kind->kind + (kind->published ? DocumentText(*kind->published) : "");
      paths[path] = {{"serverRelativeURL", "/openapi/v3/" + path + "?hash=" + HashHex(content)}};
    }
  }
  return {{"paths", std::move(paths)}};
}

std::optional<json> OpenApiDocument(const KindRegistry& kinds, std::string_view path) {
  for (const KindRegistry::Group& group : kinds.groups()) {
    for (const KindRegistry::Version& version : group.versions) {
      if (PathOf(group, version) != path) continue;
      std::vector<PublishedKind> published;
      for (const KindPtr& kind : version.kinds)
        published.push_back({kind->Gvk(), kind->published.get()});
      return json{{"openapi", "3.0.0"},
                  {"info", {{"title", kTitle}, {"version", api::kReferenceRelease}}},
                  {"paths", PathsOf(group, version)},
                  {"components", {{"schemas", ComponentSchemas(published)}}}};
    }
  }
  return std::nullopt;
}

std::string OpenApiV2Document() {
  // Encodes a string or message field: its number with wire type 2, the length, the bytes.
  const auto field = [](char number, std::string_view bytes) {
    return std::string{static_cast<char>(number << 3 | 2), static_cast<char>(bytes.size())}.append(
        bytes);
  };
  const std::string info = field(1, kTitle) + field(2, api::kReferenceRelease);
  return field(1, "2.0") + field(2, info);
}

}  // namespace berth::apiserver
