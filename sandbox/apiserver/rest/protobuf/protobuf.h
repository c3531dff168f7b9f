// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include "sandbox/apiserver/kinds/status_error.h"

namespace berth::apiserver {

// Decodes a body in Kubernetes' protobuf encoding (application/vnd.kubernetes.protobuf) into its
// JSON document. kubectl sends it for objects that it builds itself: `create namespace`, `create
// token`, `auth can-i`. Responses are always JSON, which kubectl also accepts. Errors: 415 for a
// kind or field that is not in protobuf/messages.txt, 400 for bytes that are not a message.
Answer<nlohmann::json> DecodeProtobuf(std::string_view body);

}  // namespace berth::apiserver
