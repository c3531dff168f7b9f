// SPDX-License-Identifier: Apache-2.0
#include "scheduler/plugins/traffic_query.h"

#include <chrono>
#include <cstdint>
#include <utility>

namespace berth::scheduler {
namespace {

using std::chrono::milliseconds;

constexpr std::string_view kJoined = "nodename";

// Escapes text for a quoted PromQL string.
std::string Escaped(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '\\' || c == '"') escaped += '\\';
    escaped += c;
  }
  return escaped;
}

// Older Prometheus versions accept only a number with one unit.
std::string RangeText(milliseconds length) {
  constexpr std::pair<int64_t, std::string_view> kUnits[] = {
      {3'600'000, "h"}, {60'000, "m"}, {1000, "s"}};
  for (const auto& [unit, name] : kUnits) {
    if (length.count() % unit == 0)
      return std::to_string(length.count() / unit) + std::string(name);
  }
  return std::to_string(length.count()) + "ms";
}

std::string Filled(std::string text, std::string_view hole, std::string_view content) {
  for (size_t at = text.find(hole); at != text.npos; at = text.find(hole, at + content.size())) {
    text.replace(at, hole.size(), content);
  }
  return text;
}

// Returns the rate of a node exporter counter; rate() handles counter resets. An exporter that is
// scraped twice counts once.
std::string RateOf(std::string_view direction, std::string_view by) {
  return "max by (" + std::string(by) + ") (rate(node_network_" + std::string(direction) +
         "_bytes_total{device=\"{{device}}\"}[{{range}}]))";
}

std::string BuiltIn(const NetworkTrafficArgs& args) {
  const bool joins = args.node_label == kJoined;
  const std::string by = joins ? "instance" : args.node_label;
  std::string traffic = args.metric == "both"
                            ? RateOf("receive", by) + " + " + RateOf("transmit", by)
                            : RateOf(args.metric, by);
  if (!joins) return traffic;
  return "(" + traffic +
         ") * on (instance) group_left (nodename) max by (instance, nodename) (node_uname_info)";
}

}  // namespace

std::string TrafficQuery(const NetworkTrafficArgs& args) {
  const std::string query = args.query.empty() ? BuiltIn(args) : args.query;
  return Filled(Filled(query, kRangeHole, RangeText(*args.RangeLength())), kDeviceHole,
                Escaped(args.device_name));
}

}  // namespace berth::scheduler
