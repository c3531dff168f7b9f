// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string_view>
#include <unordered_map>

#include "scheduler/model/snapshot.h"

namespace berth::scheduler {

// NodeFinder finds a node by its name or by one of its addresses (status.addresses, of any type).
// Names take precedence over addresses. An address shared by several nodes, for instance that of a
// router, matches none of them. Valid while the snapshot is unchanged. Made for many look-ups: the
// addresses are indexed once, at the first look-up that matches no node name.
class NodeFinder {
 public:
  // Requires: the snapshot outlives this.
  explicit NodeFinder(const Snapshot& snapshot) : snapshot_(snapshot) {}

  // Returns the node's slot, or kNoSlot if there is no match.
  Slot Find(std::string_view name_or_address);

 private:
  using ByAddress = std::unordered_map<std::string_view, Slot>;  // kNoSlot: several nodes have it

  ByAddress ReadAddresses() const;

  const Snapshot& snapshot_;
  std::optional<ByAddress> by_address_;
};

}  // namespace berth::scheduler
