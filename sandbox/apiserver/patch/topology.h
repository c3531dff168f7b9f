// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "base/error.h"
#include "sandbox/apiserver/patch/path_element.h"
#include "sandbox/apiserver/schema/schema.h"

namespace berth::apiserver {

// The granularity of ownership of a value: by its schema and, where the schema allows several
// types, by the value.
enum class Shape { kScalar, kList, kMap };
Shape ShapeOf(const Schema& schema, const nlohmann::json& value);

// Reports whether a value has that shape or is empty. Other values do not fit the schema.
bool HasShape(const nlohmann::json& value, Shape shape);

// Reports whether a value of that shape is replaced as a whole.
bool IsAtomic(const Schema& schema, Shape shape);

// Identifies an item of a list that is not atomic: by its keys (an absent key has its default or is
// left out) or by its value. Errors name the missing part, with structured-merge-diff's text.
Result<PathElement> ItemElement(const Schema& list, const nlohmann::json& item);

}  // namespace berth::apiserver
