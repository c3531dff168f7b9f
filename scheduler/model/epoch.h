// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>

namespace berth::scheduler {

// Slot is a node's stable index in every column; freed slots are reused.
using Slot = uint32_t;
inline constexpr Slot kNoSlot = ~Slot{0};

// Epoch is a part of the cluster that a plugin result may depend on. A plugin lists the epochs that
// its results for a node read (PluginDescriptor::depends_on). A result cached for a slot is valid
// until one of them changes.
enum class Epoch : uint8_t {
  kNodeObject,   // per slot: labels, taints, allocatable, unschedulable; not the images
  kNodePods,     // per slot: the pods on the node and their requests
  kNodeVolumes,  // per slot: the CSINode, attached volumes, and volumes accessible from the node
  kOrder,        // the set of nodes and their visiting order
  kNamespaces,   // labels of namespaces
  kVolumes,      // storage objects that affect more than a few nodes
};
inline constexpr size_t kEpochCount = 6;
// The first epochs change per slot, the others for the whole cluster.
inline constexpr size_t kNodeEpochCount = 3;

// EpochSet is a set of epochs.
class EpochSet {
 public:
  constexpr EpochSet() = default;
  constexpr EpochSet(std::initializer_list<Epoch> epochs) {
    for (const Epoch epoch : epochs) Add(epoch);
  }
  constexpr explicit EpochSet(std::span<const Epoch> epochs) {
    for (const Epoch epoch : epochs) Add(epoch);
  }
  constexpr void Add(Epoch epoch) { bits_ |= 1u << static_cast<unsigned>(epoch); }
  constexpr void Add(EpochSet other) { bits_ |= other.bits_; }
  constexpr bool Has(Epoch epoch) const { return (bits_ >> static_cast<unsigned>(epoch) & 1) != 0; }
  constexpr bool empty() const { return bits_ == 0; }
  bool operator==(const EpochSet&) const = default;

 private:
  uint32_t bits_ = 0;
};

}  // namespace berth::scheduler
