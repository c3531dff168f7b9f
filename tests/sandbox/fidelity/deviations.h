// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "base/error.h"

namespace berth::fidelity {

// Deviations are the cases in which the in-memory server is known to answer otherwise, with the
// reason.
using Deviations = std::map<std::string, std::string>;

// ParseDeviations reads them from the README of apiserver/: the rows of each table whose first
// column is headed "case", as "| `watch/reordered` | why |". A case that is named twice is an
// error.
Result<Deviations> ParseDeviations(std::string_view markdown);

}  // namespace berth::fidelity
