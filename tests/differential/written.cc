// SPDX-License-Identifier: Apache-2.0
#include "tests/differential/written.h"

#include <string>
#include <string_view>
#include <utility>

namespace berth::differential {
namespace {

constexpr int kMaxCount = 500;

}  // namespace

Json Take(Json& written, const char* field) {
  const auto found = written.find(field);
  if (found == written.end()) return nullptr;
  Json value = std::move(*found);
  written.erase(found);
  return value;
}

void Move(Json& written, const char* field, Json& into) {
  if (Json value = Take(written, field); !value.is_null()) into[field] = std::move(value);
}

Result<Json> TakeMetadata(Json& written) {
  Json metadata = Json::object();
  for (const char* field :
       {"name", "namespace", "labels", "annotations", "finalizers", "ownerReferences"}) {
    Move(written, field, metadata);
  }
  for (const char* field : {"name", "namespace"}) {
    if (metadata.contains(field) && !metadata[field].is_string()) {
      return ConfigError(std::string(field) + ": " + metadata[field].dump() + " is not a string");
    }
  }
  if (!metadata.contains("name")) return ConfigError("name: is missing");
  return metadata;
}

Result<std::vector<Json>> Expanded(Json written) {
  const Json count = Take(written, "count");
  if (count.is_null()) return std::vector<Json>{std::move(written)};
  if (!count.is_number_integer() || count < 0 || count > kMaxCount) {
    return ConfigError("count: " + count.dump() + " is not a number up to " +
                       std::to_string(kMaxCount));
  }
  const Json name = written.value("name", Json());
  const std::string text = written.dump();
  std::vector<Json> all;
  for (int i = 0; i < count; ++i) {
    std::string one = text;
    constexpr std::string_view kNumber = "$(i)";
    for (size_t at = 0; (at = one.find(kNumber, at)) != std::string::npos;) {
      one.replace(at, kNumber.size(), std::to_string(i));
    }
    all.push_back(Json::parse(one));
    if (name.is_string() && all.back()["name"] == name) {
      all.back()["name"] = name.get<std::string>() + "-" + std::to_string(i);
    }
  }
  return all;
}

Json ReachOf(const Json& node) {
  const Json host = {
      {"key", "kubernetes.io/hostname"}, {"operator", "In"}, {"values", Json::array({node})}};
  const Json term = {{"matchExpressions", Json::array({host})}};
  return {{"required", {{"nodeSelectorTerms", Json::array({term})}}}};
}

}  // namespace berth::differential
