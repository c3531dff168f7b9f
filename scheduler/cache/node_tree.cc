// SPDX-License-Identifier: Apache-2.0
#include "scheduler/cache/node_tree.h"

#include <algorithm>
#include <string_view>

namespace berth::scheduler {

namespace {

// The value of the deprecated label when the node has it, even empty; else that of the current one.
std::string_view TopologyLabel(const api::StringMap& labels, const char* deprecated,
                               const char* current) {
  if (const auto found = labels.find(deprecated); found != labels.end()) return found->second;
  if (const auto found = labels.find(current); found != labels.end()) return found->second;
  return {};
}

}  // namespace

std::string ZoneKeyOf(const api::Node& node) {
  const api::StringMap& labels = node.metadata.labels;
  const std::string_view region = TopologyLabel(labels, "failure-domain.beta.kubernetes.io/region",
                                                "topology.kubernetes.io/region");
  const std::string_view zone = TopologyLabel(labels, "failure-domain.beta.kubernetes.io/zone",
                                              "topology.kubernetes.io/zone");
  if (region.empty() && zone.empty()) return {};
  // A NUL cannot be part of a label, so no two pairs make the same key.
  std::string key(region);
  key.push_back('\0');
  key.append(zone);
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
