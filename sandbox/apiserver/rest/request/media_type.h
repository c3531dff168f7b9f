// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "sandbox/apiserver/kinds/status_error.h"

namespace berth::apiserver {

// Shape is the requested form of objects.
enum class Shape { kObject, kTable };

// MediaType is the result of content negotiation. Always JSON on the wire.
struct MediaType {
  Shape shape = Shape::kObject;
  bool aggregated_discovery = false;  // version v2
};

// Selects the best supported type by q and then by order. Fails with 406 if only YAML, protobuf or
// metadata are accepted.
Answer<MediaType> Negotiate(std::string_view accept);

// Returns the type without parameters, in lower case: "application/json".
std::string BaseType(std::string_view content_type);

}  // namespace berth::apiserver
