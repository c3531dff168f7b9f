// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "convert/draft.h"
#include "convert/finding.h"

namespace berth::convert {

// ConvertNetworkTraffic writes the arguments of a NetworkTraffic that people made themselves as ours are
// called: ip, device_name and time_range have other names, a number is a number of minutes, and the name
// of a Service is written so that it is known for one.
void ConvertNetworkTraffic(const std::string& path, const Reporter& reporter, Members& args);

}  // namespace berth::convert
