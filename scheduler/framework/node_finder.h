// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string_view>
#include <unordered_map>

#include "scheduler/model/snapshot.h"

namespace berth::scheduler {

// NodeFinder finds the nodes that others speak of: by the node's name, or by one of its addresses
// (status.addresses, of whatever type). A name goes before an address, and an address that several
// nodes have, such as that of a router before them, is nobody's. Valid as long as the snapshot shows
// the same; made for many questions, as the addresses are gone through once, at the first that is no name.
class NodeFinder {
 public:
  // Requires: the snapshot outlives this.
  explicit NodeFinder(const Snapshot& snapshot) : snapshot_(snapshot) {}

  // Find gives the node's slot, kNoSlot where none is meant.
  Slot Find(std::string_view name_or_address);

 private:
  using ByAddress = std::unordered_map<std::string_view, Slot>;  // kNoSlot: of several

  ByAddress ReadAddresses() const;

  const Snapshot& snapshot_;
  std::optional<ByAddress> by_address_;
};

}  // namespace berth::scheduler
