// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string_view>

#include "cel/value.h"

// What `a.b` and `a[b]` mean for values, optionals included: reaching into an optional gives an
// optional, and what is missing there is none instead of an error.
namespace berth::cel {

// SelectField is `operand.field`; with `is_optional`, `operand.?field`.
Value SelectField(const Value& operand, std::string_view field, bool is_optional);

// HasField is `has(operand.field)`: a bool, or an error when the operand has no fields.
Value HasField(const Value& operand, std::string_view field);

// IndexInto is `operand[key]`; with `is_optional`, `operand[?key]`.
Value IndexInto(const Value& operand, const Value& key, bool is_optional);

}  // namespace berth::cel
