// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string_view>

#include "cel/value.h"

// Field selection `a.b` and indexing `a[b]` on values, including optionals. Selecting from an
// optional returns an optional; a missing field or key is then none instead of an error.
namespace berth::cel {

// Evaluates `operand.field`; with `is_optional`, `operand.?field`.
Value SelectField(const Value& operand, std::string_view field, bool is_optional);

// Evaluates `has(operand.field)`: a bool, or an error if the operand has no fields.
Value HasField(const Value& operand, std::string_view field);

// Evaluates `operand[key]`; with `is_optional`, `operand[?key]`.
Value IndexInto(const Value& operand, const Value& key, bool is_optional);

}  // namespace berth::cel
