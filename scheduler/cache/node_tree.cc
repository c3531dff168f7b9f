// SPDX-License-Identifier: Apache-2.0
#include "scheduler/cache/node_tree.h"

#include <algorithm>
#include <optional>
#include <string_view>

#include "scheduler/model/node_zone.h"

namespace berth::scheduler {

std::string ZoneKeyOf(const api::Node& node) {
  const api::StringMap& labels = node.metadata.labels;
  const auto zone = NodeZoneBy<std::string_view>([&labels](ZoneLabel label) {
    const auto found = labels.find(std::string(ToString(label)));
    return found != labels.end() ? std::optional<std::string_view>(found->second) : std::nullopt;
  });
  if (zone.IsNone()) return {};
  // NUL cannot occur in a label, so the keys of different pairs differ.
  std::string key(zone.region);
  key.push_back('\0');
  key.append(zone.zone);
  return key;
}

bool NodeTree::Put(Slot slot, std::string zone) {
  if (const auto found = zone_of_.find(slot); found != zone_of_.end()) {
    if (found->second == zone) return false;
    Remove(slot);
  }
  auto place =
      std::find_if(zones_.begin(), zones_.end(), [&](const Zone& z) { return z.key == zone; });
  if (place == zones_.end()) place = zones_.insert(zones_.end(), Zone{zone, {}});
  place->nodes.push_back(slot);
  zone_of_.emplace(slot, std::move(zone));
  return true;
}

bool NodeTree::Remove(Slot slot) {
  const auto found = zone_of_.find(slot);
  if (found == zone_of_.end()) return false;
  const auto zone = std::find_if(zones_.begin(), zones_.end(),
                                 [&](const Zone& z) { return z.key == found->second; });
  zone->nodes.erase(std::find(zone->nodes.begin(), zone->nodes.end(), slot));
  if (zone->nodes.empty()) zones_.erase(zone);
  zone_of_.erase(found);
  return true;
}

void NodeTree::List(std::vector<Slot>& out) const {
  out.clear();
  out.reserve(zone_of_.size());
  for (size_t round = 0; out.size() < zone_of_.size(); ++round) {
    for (const Zone& zone : zones_) {
      if (round < zone.nodes.size()) out.push_back(zone.nodes[round]);
    }
  }
}

}  // namespace berth::scheduler
