// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "scheduler/plugins/network_traffic_args.h"

namespace berth::scheduler {

// What stands for the device and the time in a query that somebody wrote.
inline constexpr std::string_view kDeviceHole = "{{device}}";
inline constexpr std::string_view kRangeHole = "{{range}}";

// TrafficQuery is the PromQL that NetworkTraffic's arguments ask for, a sample for each node: the
// rate of the counters of Prometheus' node exporter, or what `query` says. Texts of people are
// quoted, so that none becomes a part of the query. Requires: args.Validate() found nothing.
std::string TrafficQuery(const NetworkTrafficArgs& args);

}  // namespace berth::scheduler
