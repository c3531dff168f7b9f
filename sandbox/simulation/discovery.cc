// SPDX-License-Identifier: Apache-2.0
#include "sandbox/simulation/discovery.h"

#include <utility>

#include <nlohmann/json.hpp>

#include "base/json/document.h"
#include "base/log.h"

namespace berth::simulation {
namespace {

using Json = nlohmann::json;

Result<std::string> Read(client::Client& client, const std::string& path) {
  client::ApiRequest request;
  request.target = path;
  request.max_answer_bytes = client::kMaxDiscoveryBytes;
  return client.Call(std::move(request));
}

Result<std::vector<std::string>> PreferredVersions(client::Client& client) {
  BERTH_TRY(const std::string text, Read(client, "/apis"));
  const Json groups = berth::json::ReadDocument(text);
  if (!groups.is_object())
    return Fail(Reason::kUnknown, "/apis: the response is not a JSON object");
  std::vector<std::string> versions;
  for (const Json& group : groups.value("groups", Json::array())) {
    versions.push_back(group.value("/preferredVersion/groupVersion"_json_pointer, std::string()));
  }
  return versions;
}

}  // namespace

ServedResource::ServedResource(std::string group, std::string version, std::string kind,
                               std::string plural, bool namespaced, std::set<std::string> verbs)
    : group_(std::move(group)),
      version_(std::move(version)),
      kind_(std::move(kind)),
      plural_(std::move(plural)),
      verbs_(std::move(verbs)),
      info_{.group = group_,
            .version = version_,
            .kind = kind_,
            .plural = plural_,
            .namespaced = namespaced} {}

std::vector<ServedResourcePtr> ParseResourceList(const std::string& json) {
  std::vector<ServedResourcePtr> resources;
  const Json list = berth::json::ReadDocument(json);
  if (!list.is_object()) return resources;
  const std::string group_version = list.value("groupVersion", "");
  const size_t slash = group_version.find('/');
  const std::string group = slash == std::string::npos ? "" : group_version.substr(0, slash);
  const std::string version =
      slash == std::string::npos ? group_version : group_version.substr(slash + 1);
  for (const Json& resource : list.value("resources", Json::array())) {
    const std::string name = resource.value("name", "");
    if (name.find('/') != std::string::npos) continue;
    resources.push_back(std::make_shared<const ServedResource>(
        group, version, resource.value("kind", ""), name, resource.value("namespaced", false),
        resource.value("verbs", std::set<std::string>())));
  }
  return resources;
}

Result<std::vector<ServedResourcePtr>> DiscoverResources(client::Client& client) {
  BERTH_TRY(const std::string core, Read(client, "/api/v1"));
  std::vector<ServedResourcePtr> resources = ParseResourceList(core);
  BERTH_TRY(const std::vector<std::string> versions, PreferredVersions(client));
  for (const std::string& version : versions) {
    const Result<std::string> text = Read(client, "/apis/" + version);
    if (!text) {
      log::V(2).Info("Skipped an API group", {{"group", version}, {"err", text.error()}});
      continue;
    }
    for (ServedResourcePtr& resource : ParseResourceList(*text)) {
      resources.push_back(std::move(resource));
    }
  }
  return resources;
}

}  // namespace berth::simulation
