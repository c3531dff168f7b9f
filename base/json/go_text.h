// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "base/error.h"
#include "base/json/type.h"

// JSON as Go's encoding/json writes it for structs without tags. Programs that share Go structs
// (scheduler and extender) exchange such JSON. It differs from an API server's objects.
namespace berth::json {

// Decodes like DecodeInto in lenient mode, with these differences of Go's decoder: field names
// match in any letter case (ASCII), integers must be written without point or exponent, only the
// first value of the text is read, a single null changes nothing, and invalid UTF-8 becomes U+FFFD.
Result<void> DecodeGoInto(std::string_view text, const Type& type, void* value);

// Appends the encoded text: every field, in the order of Fields(). Absent optionals, empty Raw and
// empty maps are null (Go's nil). A present optional is written even if it is empty, and an empty
// list is []. Raw is copied unchanged. Requires: no field is a double or a scalar of scalar.h.
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
