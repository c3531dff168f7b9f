// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "base/error.h"

namespace berth::fidelity {

// Deviations are the cases with known differences of the in-memory server, with the reason.
using Deviations = std::map<std::string, std::string>;

// Parses them from the README of apiserver/: the rows of each table with a first column "case", for
// example "| `watch/reordered` | why |". A duplicate case is an error.
Result<Deviations> ParseDeviations(std::string_view markdown);

}  // namespace berth::fidelity
