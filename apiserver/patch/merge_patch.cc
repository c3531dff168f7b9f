// SPDX-License-Identifier: Apache-2.0
#include "apiserver/patch/merge_patch.h"

#include <string>

#include <nlohmann/json.hpp>

namespace berth::apiserver {

using nlohmann::json;

namespace {

// Go gives up at 10,000; what walks documents here is recursive, and no document is that deep.
constexpr int kMaxDepth = 1'000;

// The first bracket that is nested too deep, or null.
const char* FirstTooDeep(std::string_view text) {
  int depth = 0;
  bool in_string = false;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (in_string) {
      if (c == '\\') ++i;
      in_string = c != '"';
    } else if (c == '"') {
      in_string = true;
    } else if (c == '{' || c == '[') {
      if (++depth > kMaxDepth) return &text[i];
    } else if (c == '}' || c == ']') {
      --depth;
    }
  }
  return nullptr;
}

}  // namespace

Result<json> DecodePatch(std::string_view patch) {
  if (const char* bracket = FirstTooDeep(patch))
    return Fail(Reason::kBadRequest, std::string("error decoding patch: invalid character '") +
                                         *bracket + "' exceeded max depth");
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
