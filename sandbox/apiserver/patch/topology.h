// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "base/error.h"
#include "sandbox/apiserver/patch/path_element.h"
#include "sandbox/apiserver/schema/schema.h"

namespace berth::apiserver {

// How a value is shared between writers, as its schema and, where that allows several, the value
// say.
enum class Shape { kScalar, kList, kMap };
Shape ShapeOf(const Schema& schema, const nlohmann::json& value);

// HasShape says that a value is of that shape, or empty. One that is not does not fit its schema.
bool HasShape(const nlohmann::json& value, Shape shape);

// IsAtomic says that a value of that shape is replaced whole.
bool IsAtomic(const Schema& schema, Shape shape);

// ItemElement names an item of a list that is not atomic: by its keys (those absent have their
// default, or are no part of the name) or by its value. Errors say what the item lacks, in
// structured-merge-diff's words.
Result<PathElement> ItemElement(const Schema& list, const nlohmann::json& item);

}  // namespace berth::apiserver
