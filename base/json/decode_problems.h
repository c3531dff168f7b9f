// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/json/field_path.h"
#include "base/json/type.h"

namespace berth::json {

// DecodeProblem is one mistake in a document that was decoded as far as possible.
struct DecodeProblem {
  enum class Kind { kUnknownField, kDuplicateField, kWrongValue };

  Kind kind;
  std::vector<PathStep> steps;  // the path
  std::string value;            // kWrongValue: the JSON text of a scalar
  std::string message;          // "unknown field; nearest: name"; without path and value
};

// Decodes like DecodeInto in strict mode (json.h), but reports all mistakes at once and continues
// behind each: a field with a mistake keeps its initial value, or the entries without one. Errors
// (kConfig): the text is malformed JSON, so that nothing behind the error can be read.
Result<std::vector<DecodeProblem>> DecodeWithProblems(std::string_view text, const Type& type,
                                                      void* value);

}  // namespace berth::json
