// SPDX-License-Identifier: Apache-2.0
#include "scheduler/framework/node_finder.h"

namespace berth::scheduler {

Slot NodeFinder::Find(std::string_view name_or_address) {
  const Slot named = snapshot_.Find(name_or_address);
  if (named != kNoSlot) return named;
  if (!by_address_) by_address_ = ReadAddresses();
  const auto found = by_address_->find(name_or_address);
  return found == by_address_->end() ? kNoSlot : found->second;
}

NodeFinder::ByAddress NodeFinder::ReadAddresses() const {
  ByAddress by_address;
  for (const Slot slot : snapshot_.Order()) {
    for (const api::NodeAddress& known : snapshot_.At(slot).node->status.addresses) {
      Slot& owner = by_address.try_emplace(known.address, slot).first->second;
      if (owner != slot) owner = kNoSlot;
    }
  }
  return by_address;
}

}  // namespace berth::scheduler
