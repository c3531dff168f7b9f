// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include <nlohmann/json.hpp>

#include "sandbox/apiserver/kinds/kind_info.h"

namespace berth::apiserver {

// Decodes JSON or protobuf, depending on the type, into an object. Errors: 415 for another type,
// including YAML; 400 for a body that is not an object, with a text of this server.
Answer<nlohmann::json> ReadBody(std::string_view content_type, std::string_view body);

// ReadBody for an object of a kind: whole numbers of a custom resource become integers, also if
// written as 3.0 or 3e0.
Answer<nlohmann::json> ReadObjectBody(std::string_view content_type, std::string_view body,
                                      const KindInfo& kind);

}  // namespace berth::apiserver
