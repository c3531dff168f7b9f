// SPDX-License-Identifier: Apache-2.0
#include "sandbox/apiserver/rest/system_fields.h"

#include <charconv>
#include <string>

#include <nlohmann/json.hpp>

#include "sandbox/apiserver/document.h"

namespace berth::apiserver {

using nlohmann::json;

Answer<uint64_t> VersionOf(const json& document) {
  const std::string text = TextAt(document, "metadata/resourceVersion");
  if (text.empty()) return 0;
  uint64_t version = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), version);
  const bool whole = end == text.data() + text.size();
  if (whole && error == std::errc()) return version;
  return Reject(Unclassified("strconv.ParseUint: parsing " + Quoted(text) + ": " +
                             (whole ? "value out of range" : "invalid syntax")));
}

void WipeSystemFields(json& metadata) {
  for (const char* field : {"uid", "creationTimestamp", "deletionTimestamp",
                            "deletionGracePeriodSeconds", "selfLink"}) {
    metadata.erase(field);
  }
}

void KeepSystemFields(const json& old, json& metadata) {
  const auto keep = [&](const char* field) {
    if (const auto found = old.find(field); found != old.end())
      metadata[field] = *found;
    else
      metadata.erase(field);
  };
  const auto has_value = [](const json& object, const char* field) {
    const auto found = object.find(field);
    return found != object.end() && !found->is_null() && *found != "";
  };
  keep("generation");
  keep("creationTimestamp");
  if (!has_value(metadata, "uid")) keep("uid");
  if (has_value(old, "deletionTimestamp")) keep("deletionTimestamp");
  if (!has_value(metadata, "deletionGracePeriodSeconds")) keep("deletionGracePeriodSeconds");
  metadata.erase("selfLink");
}

}  // namespace berth::apiserver
