// SPDX-License-Identifier: Apache-2.0
#include "apiserver/rest/media_type.h"

#include <map>

#include "base/strings.h"

namespace berth::apiserver {
namespace {

using Parameters = std::map<std::string, std::string, std::less<>>;

Parameters ParametersOf(std::string_view entry) {
  Parameters found;
  const auto parts = Split(entry, ';');
  for (size_t i = 1; i < parts.size(); ++i) {
    const std::string_view part = TrimSpace(parts[i]);
    const size_t equals = part.find('=');
    if (equals == std::string_view::npos) continue;
    found[ToLower(part.substr(0, equals))] = std::string(part.substr(equals + 1));
  }
  return found;
}

// Whether the type is served, and how.
bool Accepts(std::string_view entry, MediaType& type) {
  const std::string base = BaseType(entry);
  const Parameters parameters = ParametersOf(entry);
  if (base != "application/json" && base != "application/yaml" && base != "*/*" &&
      base != "application/*") {
    return false;
  }
  type = {};
  type.yaml = base == "application/yaml";
  const auto as = parameters.find("as");
  if (as == parameters.end()) return true;
  if (as->second == "Table") {
    type.shape = Shape::kTable;
  } else if (as->second == "PartialObjectMetadata" || as->second == "PartialObjectMetadataList") {
    type.shape = Shape::kMetadata;
  } else if (as->second == "APIGroupDiscoveryList") {
    const auto version = parameters.find("v");
    if (version == parameters.end() || version->second != "v2") return false;
    type.aggregated_discovery = true;
    return true;
  } else {
    return false;
  }
  const auto version = parameters.find("v");
  return version != parameters.end() && version->second == "v1";
}

}  // namespace

std::string BaseType(std::string_view content_type) {
  return ToLower(TrimSpace(content_type.substr(0, content_type.find(';'))));
}

Answer<MediaType> Negotiate(std::string_view accept) {
  if (TrimSpace(accept).empty()) return MediaType{};
  MediaType type;
  for (const std::string_view entry : Split(accept, ',')) {
    if (Accepts(entry, type)) return type;
  }
  return Refuse(NotAcceptable(
      "application/json, application/yaml, application/vnd.kubernetes.protobuf, "
      "application/json;stream=watch, application/vnd.kubernetes.protobuf;stream=watch"));
}

}  // namespace berth::apiserver
