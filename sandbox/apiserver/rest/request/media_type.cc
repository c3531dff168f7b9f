// SPDX-License-Identifier: Apache-2.0
#include "sandbox/apiserver/rest/request/media_type.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <vector>

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

// Reports whether the type is served, and sets its parameters.
bool Accepts(std::string_view entry, MediaType& type) {
  const std::string base = BaseType(entry);
  if (base != "application/json" && base != "*/*" && base != "application/*") return false;
  type = {};
  const Parameters parameters = ParametersOf(entry);
  const auto is = [&parameters](const char* name, std::string_view value) {
    const auto found = parameters.find(name);
    return found != parameters.end() && found->second == value;
  };
  if (!parameters.contains("as")) return true;
  type.aggregated_discovery = is("as", "APIGroupDiscoveryList") && is("v", "v2");
  if (type.aggregated_discovery) return true;
  type.shape = Shape::kTable;
  return is("as", "Table") && is("v", "v1") && is("g", "meta.k8s.io");
}

double QualityOf(std::string_view entry) {
  const Parameters parameters = ParametersOf(entry);
  const auto q = parameters.find("q");
  return q == parameters.end() ? 1 : std::strtod(q->second.c_str(), nullptr);
}

}  // namespace

std::string BaseType(std::string_view content_type) {
  return ToLower(TrimSpace(content_type.substr(0, content_type.find(';'))));
}

Answer<MediaType> Negotiate(std::string_view accept) {
  if (TrimSpace(accept).empty()) return MediaType{};
  std::vector<std::string_view> entries = Split(accept, ',');
  std::stable_sort(entries.begin(), entries.end(), [](std::string_view a, std::string_view b) {
    return QualityOf(a) > QualityOf(b);
  });
  MediaType type;
  const auto accepts = [&type](std::string_view entry) { return Accepts(entry, type); };
  if (std::none_of(entries.begin(), entries.end(), accepts))
    return Reject(NotAcceptable("application/json"));
  return type;
}

}  // namespace berth::apiserver
