// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "api/node.h"
#include "scheduler/model/node_info.h"

namespace berth::scheduler {

// Returns region and zone of a node (model/node_zone.h) as one string; "" if it has neither.
std::string ZoneKeyOf(const api::Node& node);

// NodeTree keeps the nodes of each zone and the zones in order of arrival. Its listing alternates
// between zones. Owned by the cache. Invariants: each slot is in one zone; no zone is empty.
class NodeTree {
 public:
  // Adds a node, or moves it to the end of its new zone if the zone changed. A node in an unchanged
  // zone keeps its position. Returns true if the listing changed.
  bool Put(Slot slot, std::string zone);
  bool Remove(Slot slot);  // false: unknown slot

  // Lists the first node of each zone, then the second of each, and so on.
  void List(std::vector<Slot>& out) const;
  size_t size() const { return zone_of_.size(); }

 private:
  struct Zone {
    std::string key;
    std::vector<Slot> nodes;
  };
  std::vector<Zone> zones_;
  std::unordered_map<Slot, std::string> zone_of_;
};

}  // namespace berth::scheduler
