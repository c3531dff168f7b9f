// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "tests/sandbox/fidelity/case.h"

namespace berth::fidelity {

// Select gives what a path names in a document; null where there is nothing. A path is names of
// fields joined by dots; a number is the index in a list, [path=value] the element of a list that
// has that text there, [key] a field whose name has dots, and * all elements of a list or all
// values of a map: a list of what the rest of the path names in each.
//   metadata.labels.[app.kubernetes.io/name]   items.*.metadata.name   resources.[name=pods].verbs
Json Select(const Json& document, std::string_view path);

}  // namespace berth::fidelity
