// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace berth::scheduler {

// ZoneLabel is a node label for the region or the zone.
enum class ZoneLabel : uint8_t { kOldRegion, kRegion, kOldZone, kZone };
inline constexpr std::array<std::string_view, 4> kZoneLabels = {
    "failure-domain.beta.kubernetes.io/region", "topology.kubernetes.io/region",
    "failure-domain.beta.kubernetes.io/zone", "topology.kubernetes.io/zone"};

constexpr std::string_view ToString(ZoneLabel label) {
  return kZoneLabels[static_cast<size_t>(label)];
}

// NodeZone is the region and zone of a node, as strings or as symbols. A node with neither is in no
// zone; a region alone, or a zone alone, is a zone of its own.
template <class Value>
struct NodeZone {
  Value region{};
  Value zone{};

  bool IsNone() const { return region == Value() && zone == Value(); }
  bool operator==(const NodeZone&) const = default;
};

// Returns the zone from the node's labels: find(ZoneLabel) returns the value of a label, if the
// node has it. The deprecated failure-domain labels take precedence over topology.kubernetes.io,
// even if their value is empty. Source: component-helpers node/topology/helpers.go, GetZoneKey.
template <class Value, class Find>
NodeZone<Value> NodeZoneBy(const Find& find) {
  const auto value = [&find](ZoneLabel deprecated, ZoneLabel current) {
    std::optional<Value> found = find(deprecated);
    if (!found) found = find(current);
    return found.value_or(Value());
  };
  return {value(ZoneLabel::kOldRegion, ZoneLabel::kRegion),
          value(ZoneLabel::kOldZone, ZoneLabel::kZone)};
}

}  // namespace berth::scheduler
