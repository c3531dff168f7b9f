// SPDX-License-Identifier: Apache-2.0
#include "sandbox/apiserver/patch/merge_patch.h"

#include <nlohmann/json.hpp>

#include "base/json/document.h"

namespace berth::apiserver {

using nlohmann::json;

Result<json> DecodePatch(std::string_view patch) {
  // Deeper nesting would overflow the stack of recursive functions.
  auto decoded = berth::json::ReadPlainDocument(patch);
  if (!decoded)
    return Fail(Reason::kBadRequest,
                "error decoding patch: the body is not JSON, has a duplicate field "
                "or is nested too deep");
  return std::move(*decoded);
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
    return Fail(Reason::kBadRequest, "error decoding patch: the body is not an object");
  MergeInto(decoded, &document);
  return document;
}

}  // namespace berth::apiserver
