// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "api/node.h"
#include "scheduler/model/node_info.h"

namespace berth::scheduler {

// ZoneKeyOf is region and zone of a node (model/node_zone.h) as one text, empty when it names
// neither.
std::string ZoneKeyOf(const api::Node& node);

// NodeTree keeps the nodes of each zone in the order they came, and the zones in the order they
// first appeared, so that neighbours in a listing are spread over zones. Owned by the cache.
// Invariants: each slot is in one zone; no zone is empty.
class NodeTree {
 public:
  // Put adds a node, or moves it to the end of its new zone when the zone changed; an unchanged
  // zone keeps its place. Says whether the listing changed.
  bool Put(Slot slot, std::string zone);
  bool Remove(Slot slot);  // false: it was not there

  // List writes the first node of each zone, then the second of each, and so on.
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
