// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "cel/value.h"

namespace berth::cel {

// ViewOf makes a value of a JSON document without copying it. The document must neither change nor
// move while the value, or any that was read out of it, is in use.
//
// The type says how to read what JSON does not tell apart: timestamps, durations and bytes (base64)
// are strings there, and 1 may be a double. Where it is dyn, numbers without a fraction are ints.
// What does not have the form of its type is read by its JSON type, except for malformed
// timestamps, durations and bytes, which are errors when they are read.
Value ViewOf(const nlohmann::json& document, const TypePtr& type = Basic(Kind::kDyn));

}  // namespace berth::cel
