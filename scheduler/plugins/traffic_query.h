// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "scheduler/plugins/network_traffic_args.h"

namespace berth::scheduler {

// Placeholders for the device and the time range in a user's query.
inline constexpr std::string_view kDeviceHole = "{{device}}";
inline constexpr std::string_view kRangeHole = "{{range}}";

// Returns the PromQL query for NetworkTraffic's arguments, which yields one sample per node: the
// rate of the node exporter's counters, or the `query` argument with its placeholders filled in.
// The device name is escaped, so that it cannot change the query. Requires: args.Validate() found
// nothing.
std::string TrafficQuery(const NetworkTrafficArgs& args);

}  // namespace berth::scheduler
