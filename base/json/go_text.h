// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "base/error.h"
#include "base/json/type.h"

// JSON as Go's encoding/json has it for structs without tags. What programs exchange who were
// written against each other's Go structs differs from an API server's objects.
namespace berth::json {

// DecodeGoInto reads like DecodeInto in lenient mode, with what Go's decoder does otherwise: names
// of fields are read in any letter case (ASCII), a whole number is written without point or
// exponent, of the text the first value counts, a single null changes nothing, and what is no UTF-8
// becomes U+FFFD.
Result<void> DecodeGoInto(std::string_view text, const Type& type, void* value);

// EncodeGoTo appends the text: every field, in described order; absent and empty optional values,
// Raw and maps (Go's nil) are null. Raw is passed on as it is. Requires: no field is a TextScalar or
// a double.
void EncodeGoTo(const Type& type, const void* value, std::string& out);

template <class T>
Result<T> DecodeGo(std::string_view text) {
  Result<T> value{};
  if (auto decoded = DecodeGoInto(text, TypeOf<T>(), &*value); !decoded) {
    return Fail(std::move(decoded).error());
  }
  return value;
}

template <class T>
std::string EncodeGo(const T& value) {
  std::string text;
  EncodeGoTo(TypeOf<T>(), &value, text);
  return text;
}

}  // namespace berth::json
