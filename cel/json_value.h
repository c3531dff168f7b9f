// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "cel/value.h"

namespace berth::cel {

// Returns a view of a JSON document as a value, without copying. The document must not change or
// move while the value, or any value read from it, is in use.
//
// The type resolves what JSON does not distinguish: timestamps, durations and bytes (base64) are
// strings in JSON, and 1 may be a double. For dyn, numbers without a fraction are ints. A value
// that does not match its type is read by its JSON type. Malformed timestamps, durations and bytes
// are errors when read.
Value ViewOf(const nlohmann::json& document, const TypePtr& type = Basic(Kind::kDyn));

}  // namespace berth::cel
