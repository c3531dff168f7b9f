// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "sandbox/apiserver/kinds/kind_info.h"

namespace berth::apiserver {

// RequestBody is what a client sent, decoded.
struct RequestBody {
  nlohmann::json document;  // an object

  // What a strict decoder says of the text besides: fields that occur twice and, of a built-in
  // kind, those it does not know, in the order in which a real server tells them. What a reader of
  // YAML has found is one text of several lines.
  std::vector<std::string> findings;
};

// ReadBody decodes JSON, YAML or protobuf, whichever the type says. `schema` tells which fields are
// known, null: not to look. Errors: 415 for another type; 400 in the words of Go's decoders.
Answer<RequestBody> ReadBody(std::string_view content_type, std::string_view body,
                             const Schema* schema);

// ReadObject is ReadBody for an object of a kind, which its errors name; ParseBody is that where
// nobody asks for findings.
Answer<RequestBody> ReadObject(std::string_view content_type, std::string_view body,
                               const KindInfo& kind);
Answer<nlohmann::json> ParseBody(std::string_view content_type, std::string_view body,
                                 std::string_view kind);

// Summary is how errors show a body: its beginning, in hexadecimal unless it may be JSON.
std::string Summary(std::string_view body);

}  // namespace berth::apiserver
