// SPDX-License-Identifier: Apache-2.0
#include "apiserver/patch/merge_patch.h"

#include <string>

#include <nlohmann/json.hpp>

namespace berth::apiserver {

using nlohmann::json;

Result<json> DecodePatch(std::string_view patch) {
  try {
    return json::parse(patch);
  } catch (const json::parse_error& error) {
    if (error.byte == 0 || error.byte > patch.size())
      return Fail(Reason::kBadRequest, "error decoding patch: unexpected end of JSON input");
    return Fail(Reason::kBadRequest, std::string("error decoding patch: invalid character '") +
                                         patch[error.byte - 1] +
                                         "' looking for beginning of value");
  }
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
