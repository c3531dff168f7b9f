// SPDX-License-Identifier: Apache-2.0
#include "sandbox/apiserver/rest/request/media_type.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <vector>

#include "base/strings.h"

namespace berth::apiserver {
namespace {

constexpr std::string_view kTypes[] = {"application/json", "application/yaml",
                                       "application/vnd.kubernetes.protobuf"};
constexpr std::string_view kOffered =
    "application/json, application/yaml, application/vnd.kubernetes.protobuf";
constexpr std::string_view kStreams =
    "application/json;stream=watch, application/vnd.kubernetes.protobuf;stream=watch";

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

// How objects are shown by "as", a kind of meta.k8s.io/v1; false for one there is not.
bool ReadShape(const Parameters& parameters, MediaType& type) {
  static const std::map<std::string, Shape, std::less<>> kShapes = {
      {"Table", Shape::kTable},
      {"PartialObjectMetadata", Shape::kMetadata},
      {"PartialObjectMetadataList", Shape::kMetadataList}};
  const auto as = parameters.find("as");
  if (as == parameters.end()) return true;
  const auto is = [&parameters](const char* name, std::string_view value) {
    const auto found = parameters.find(name);
    return found != parameters.end() && found->second == value;
  };
  type.aggregated_discovery = as->second == "APIGroupDiscoveryList" && is("v", "v2");
  if (type.aggregated_discovery) return true;
  const auto shape = kShapes.find(as->second);
  if (shape == kShapes.end() || !is("v", "v1") || !is("g", "meta.k8s.io")) return false;
  type.shape = shape->second;
  return true;
}

// Whether the type is served, and how.
bool Accepts(std::string_view entry, MediaType& type) {
  const std::string base = BaseType(entry);
  const bool yaml = base == "application/yaml";
  if (!yaml && base != "application/json" && base != "*/*" && base != "application/*") return false;
  type = {.yaml = yaml};
  return ReadShape(ParametersOf(entry), type);
}

bool IsRouted(std::string_view entry) {
  const std::string base = BaseType(entry);
  return base == "*/*" || std::find(std::begin(kTypes), std::end(kTypes), base) != std::end(kTypes);
}

double QualityOf(std::string_view entry) {
  const Parameters parameters = ParametersOf(entry);
  const auto q = parameters.find("q");
  return q == parameters.end() ? 1 : std::strtod(q->second.c_str(), nullptr);
}

// The refusal of the handler behind the router.
StatusError NoneAccepted(std::string_view offered) {
  StatusError error = NotAcceptable({});
  error.message = "only the following media types are accepted: " + std::string(offered);
  error.empty_details = false;
  return error;
}

}  // namespace

std::string BaseType(std::string_view content_type) {
  return ToLower(TrimSpace(content_type.substr(0, content_type.find(';'))));
}

Answer<MediaType> Negotiate(std::string_view accept, const Offer& offer) {
  if (TrimSpace(accept).empty()) return MediaType{};
  std::vector<std::string_view> entries = Split(accept, ',');
  if (offer.is_routed && std::none_of(entries.begin(), entries.end(), IsRouted)) {
    const std::string streams = offer.is_list ? ", " + std::string(kStreams) : std::string();
    return Refuse(NotAcceptable(std::string(kOffered) + streams));
  }
  std::stable_sort(entries.begin(), entries.end(), [](std::string_view a, std::string_view b) {
    return QualityOf(a) > QualityOf(b);
  });
  MediaType type;
  const auto accepts = [&type](std::string_view entry) { return Accepts(entry, type); };
  if (std::none_of(entries.begin(), entries.end(), accepts)) return Refuse(NoneAccepted(kOffered));
  // What streams is looked for among what can be shown at all.
  if (offer.is_watch && type.yaml) return Refuse(NoneAccepted(kStreams));
  return type;
}

}  // namespace berth::apiserver
