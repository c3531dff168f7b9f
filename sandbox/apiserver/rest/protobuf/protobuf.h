// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include "sandbox/apiserver/kinds/status_error.h"

namespace berth::apiserver {

// DecodeProtobuf reads a body in Kubernetes' protobuf encoding
// (application/vnd.kubernetes.protobuf) into the document that JSON would have brought. kubectl
// sends it for what it makes itself: `create namespace`, `create token`, `auth can-i`. Answers are
// always JSON, which its clients accept, too. Errors: 415 for a kind or a field that
// protobuf/messages.txt does not have, 400 for bytes that are no message.
Answer<nlohmann::json> DecodeProtobuf(std::string_view body);

}  // namespace berth::apiserver
