// SPDX-License-Identifier: Apache-2.0
#include "sandbox/apiserver/patch/merge_patch.h"

#include <string>

#include <nlohmann/json.hpp>

#include "base/json/document.h"
#include "sandbox/apiserver/go/go_json.h"

namespace berth::apiserver {

using nlohmann::json;

Result<json> DecodePatch(std::string_view patch) {
  // Go gives up at 10,000; what walks documents here is recursive, and no document is that deep.
  constexpr int kMaxDepth = 1'000;
  if (auto syntax = CheckGoSyntax(patch, kMaxDepth); !syntax)
    return Fail(syntax.error().With("error decoding patch"));
  json decoded = berth::json::ReadDocument(patch);
  // What Go's decoder lets through, but not this one: texts that are no UTF-8.
  if (decoded.is_discarded())
    return Fail(Reason::kBadRequest, "error decoding patch: invalid UTF-8 in string");
  return decoded;
}

void MergeInto(const json& patch, json* document) {
  if (!document->is_object()) *document = json::object();
  for (const auto& [key, value] : patch.items()) {
    if (value.is_null()) {
      document->erase(key);
    } else if (value.is_object()) {
      MergeInto(value, &(*document)[key]);
    } else {
      (*document)[key] = value;
    }
  }
}

Result<json> ApplyMergePatch(json document, std::string_view patch) {
  BERTH_TRY(const json decoded, DecodePatch(patch));
  if (!decoded.is_object())
    return Fail(Reason::kBadRequest, "error decoding patch: json: cannot unmarshal " +
                                         std::string(decoded.type_name()) +
                                         " into Go value of type map[string]interface {}");
  MergeInto(decoded, &document);
  return document;
}

}  // namespace berth::apiserver
