// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "sandbox/apiserver/kinds/status_error.h"

namespace berth::apiserver {

// Shape is how the client wants to see objects.
enum class Shape { kObject, kTable };

// MediaType is the answer to an Accept header. Always JSON on the wire.
struct MediaType {
  Shape shape = Shape::kObject;
  bool aggregated_discovery = false;  // v2 of it
};

// Negotiate takes the best of the accepted types that is served, by their q and then in their
// order; error 406, which YAML, protobuf and metadata alone get.
Answer<MediaType> Negotiate(std::string_view accept);

// BaseType is the type without parameters, lower case: "application/json".
std::string BaseType(std::string_view content_type);

}  // namespace berth::apiserver
