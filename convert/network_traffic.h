// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "convert/draft.h"
#include "convert/finding.h"

namespace berth::convert {

// Converts the arguments of a self-written NetworkTraffic plugin to those of Berth's. Renames ip,
// device_name and time_range, treats a bare number as minutes, and expands the name of a Service so
// that it is recognised as such.
void ConvertNetworkTraffic(const std::string& path, const Reporter& reporter, Members& args);

}  // namespace berth::convert
