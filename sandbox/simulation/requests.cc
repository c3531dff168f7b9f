// SPDX-License-Identifier: Apache-2.0
#include "sandbox/simulation/requests.h"

#include <nlohmann/json.hpp>

#include "base/json/document.h"
#include "base/strings.h"

namespace berth::simulation {
namespace {

using Json = nlohmann::json;

std::string RequirementText(const api::LabelSelectorRequirement& requirement) {
  if (requirement.op == "Exists") return requirement.key;
  if (requirement.op == "DoesNotExist") return "!" + requirement.key;
  const char* op = requirement.op == "In" ? " in (" : " notin (";
  return requirement.key + op + Join(requirement.values, ",") + ")";
}

}  // namespace

std::string SelectorText(const api::LabelSelector& selector) {
  std::vector<std::string> parts;
  for (const auto& [key, value] : selector.match_labels) parts.push_back(key + "=" + value);
  for (const auto& requirement : selector.match_expressions) {
    parts.push_back(RequirementText(requirement));
  }
  return Join(parts, ",");
}

// Replaces the status as a whole: a merge patch would keep the old values of zeros that the
// encoding omits.
Result<void> PatchStatus(client::Client& client, const api::ResourceInfo& resource,
                         const api::ObjectMeta& metadata, const std::string& status_json) {
  const Json body = Json::array(
      {{{"op", "test"},
        {"path", "/metadata/resourceVersion"},
        {"value", metadata.resource_version}},
       {{"op", "add"}, {"path", "/status"}, {"value", berth::json::ReadDocument(status_json)}}});
  Result<void> done = Ignored(client.Call(client::PatchRequest(
      resource, metadata.namespace_, metadata.name, berth::json::DocumentText(body),
      {.type = client::PatchType::kJson, .field_manager = ""}, "status")));
  // The API server answers a failed test as an invalid request; here it means that the object has
  // changed.
  if (!done && done.error().Is(Reason::kInvalid)) {
    return Fail(Reason::kConflict, done.error().message());
  }
  return done;
}

Result<void> PatchExactly(client::Client& client, const api::ResourceInfo& resource,
                          const api::ObjectMeta& metadata, const std::string& patch_json) {
  Json body = berth::json::ReadDocument(patch_json);
  body["metadata"]["uid"] = metadata.uid;
  body["metadata"]["resourceVersion"] = metadata.resource_version;
  return Ignored(client.Call(client::PatchRequest(
      resource, metadata.namespace_, metadata.name, berth::json::DocumentText(body),
      {.type = client::PatchType::kMerge, .field_manager = ""})));
}

Result<void> DeleteExactly(client::Client& client, const api::ResourceInfo& resource,
                           const api::ObjectMeta& metadata, api::DeleteOptions options) {
  if (!options.preconditions) options.preconditions.emplace();
  options.preconditions->uid = metadata.uid;
  Result<void> deleted = client.DeleteRaw(resource, metadata.namespace_, metadata.name, options);
  const bool is_gone =
      !deleted && (deleted.error().Is(Reason::kNotFound) || deleted.error().Is(Reason::kConflict));
  return is_gone ? Result<void>() : deleted;
}

Result<void> DeleteUnchanged(client::Client& client, const api::ResourceInfo& resource,
                             const api::ObjectMeta& metadata, api::DeleteOptions options) {
  options.preconditions = {.uid = {}, .resource_version = metadata.resource_version};
  return DeleteExactly(client, resource, metadata, std::move(options));
}

Result<void> Ignored(const Result<std::string>& answer) {
  if (!answer) return Fail(answer.error());
  return {};
}

}  // namespace berth::simulation
