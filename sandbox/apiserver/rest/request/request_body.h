// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include <nlohmann/json.hpp>

#include "sandbox/apiserver/kinds/kind_info.h"

namespace berth::apiserver {

// ReadBody decodes JSON or protobuf, whichever the type says, into an object. Errors: 415 for
// another type, YAML among them; 400 for what is no object, in this server's own words.
Answer<nlohmann::json> ReadBody(std::string_view content_type, std::string_view body);

// ReadObjectBody is ReadBody for an object of a kind: whole numbers of a custom resource are
// integers, however they are written.
Answer<nlohmann::json> ReadObjectBody(std::string_view content_type, std::string_view body,
                                      const KindInfo& kind);

}  // namespace berth::apiserver
