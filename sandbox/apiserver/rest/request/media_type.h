// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "sandbox/apiserver/kinds/status_error.h"

namespace berth::apiserver {

// Shape is how the client wants to see objects. The two of metadata differ in what they are asked
// of: one object (or each of a watch), or a list.
enum class Shape { kObject, kTable, kMetadata, kMetadataList };

// MediaType is the answer to an Accept header. Always JSON or YAML on the wire.
struct MediaType {
  Shape shape = Shape::kObject;
  bool yaml = false;
  bool aggregated_discovery = false;  // v2 of it
};

// Offer is what a path has to give. The router of built-in kinds (go-restful) looks at the plain
// type of what is accepted before their handlers look at its parameters, and words its refusal
// otherwise.
struct Offer {
  bool is_routed = true;
  bool is_list = false;   // of a collection, as a list or as a watch
  bool is_watch = false;  // frames: no YAML
};

// Negotiate takes the best of the accepted types that is served, by their q and then in their
// order; error 406.
Answer<MediaType> Negotiate(std::string_view accept, const Offer& offer);

// BaseType is the type without parameters, lower case: "application/json".
std::string BaseType(std::string_view content_type);

}  // namespace berth::apiserver
