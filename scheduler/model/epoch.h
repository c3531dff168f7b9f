// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>

namespace berth::scheduler {

// Slot is a node's stable place in every column; a freed slot is used again.
using Slot = uint32_t;
inline constexpr Slot kNoSlot = ~Slot{0};

// Epoch names a part of the cluster that an answer may depend on. A plugin lists those its answer
// about a node reads (PluginDescriptor::depends_on); an answer that is cached for a slot is valid
// until one of them changes.
enum class Epoch : uint8_t {
  kNodeObject,   // labels, taints, allocatable, unschedulable: of this slot; not its images
  kNodePods,     // the pods on it and what they request: of this slot
  kNodeVolumes,  // its CSINode, what is attached to it, and volumes that it reaches: of this slot
  kOrder,        // which nodes there are, and the order they are visited in
  kNamespaces,   // labels of namespaces
  kVolumes,      // objects of volumes that concern more than some nodes
};
inline constexpr size_t kEpochCount = 6;
// The first ones change for one slot at a time, the others for the whole cluster.
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
