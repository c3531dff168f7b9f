// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/error.h"

namespace berth::json {

// ScalarFormat is the schema format of a TextScalar.
enum class ScalarFormat : uint8_t { kString, kIntOrString, kDateTime, kQuantity, kDuration };

// TextScalar is a value that is one token in JSON but not a plain string in memory, such as
// Quantity. It parses and prints the token's text (without quotes). It is omitted on encoding if
// IsEmpty() is true.
template <class T>
concept TextScalar = requires(const T& value, std::string_view text) {
  { T::Parse(text) } -> std::same_as<Result<T>>;
  { value.ToString() } -> std::convertible_to<std::string>;
  { value.IsEmpty() } -> std::convertible_to<bool>;
  { T::kFormat } -> std::convertible_to<ScalarFormat>;
};

}  // namespace berth::json
