// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "apiserver/kinds/status_error.h"

namespace berth::apiserver {

// Shape is how the client wants to see objects.
enum class Shape { kObject, kTable, kMetadata };

// MediaType is the answer to an Accept header. Always JSON or YAML on the wire.
struct MediaType {
  Shape shape = Shape::kObject;
  bool yaml = false;
  bool aggregated_discovery = false;  // v2 of it
};

// Negotiate takes the first of the accepted types that is served; error 406.
Answer<MediaType> Negotiate(std::string_view accept);

// BaseType is the type without parameters, lower case: "application/json".
std::string BaseType(std::string_view content_type);

}  // namespace berth::apiserver
