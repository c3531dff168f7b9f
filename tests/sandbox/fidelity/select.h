// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "tests/sandbox/fidelity/case.h"

namespace berth::fidelity {

// Returns the value at a path of a document; null if it is absent. A path is a sequence of field
// names, joined by dots. A number is the index in a list, [path=value] the element of a list with
// that text, [key] a field with dots in its name, and * all elements of a list or all values of a
// map: a list of the results of the remaining path.
//   metadata.labels.[app.kubernetes.io/name]   items.*.metadata.name   resources.[name=pods].verbs
Json Select(const Json& document, std::string_view path);

}  // namespace berth::fidelity
