// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/error.h"

namespace berth::json {

// ScalarFormat is how a value that is one token on the wire, but more than a string in memory, is
// described to a schema.
enum class ScalarFormat : uint8_t { kString, kIntOrString, kDateTime, kQuantity, kDuration };

// TextScalar is such a value: it parses from the token's text (without quotes) and prints itself
// back. One whose IsEmpty() holds is left out on encoding.
template <class T>
concept TextScalar = requires(const T& value, std::string_view text) {
  { T::Parse(text) } -> std::same_as<Result<T>>;
  { value.ToString() } -> std::convertible_to<std::string>;
  { value.IsEmpty() } -> std::convertible_to<bool>;
  { T::kFormat } -> std::convertible_to<ScalarFormat>;
};

}  // namespace berth::json
