// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "api/storage.h"
#include "scheduler/model/epoch.h"
#include "scheduler/model/volumes/counted_volumes.h"

namespace berth::scheduler {

// AttachedBy is the reason for which a volume counts as attached to a node.
enum class AttachedBy : uint8_t { kPod, kAttachment };

// AttachedVolumes records the volumes attached to each node, their number by driver, and the limits
// of the nodes. A volume that is attached to a node for several reasons counts once. Owned by the
// cache.
//
// Invariants: used() at a slot is the number of volumes of the driver with a use there, because
// only Add and Remove change both. A driver has columns while at least one of its entries is set.
class AttachedVolumes {
 public:
  static constexpr int64_t kNoLimit = -1;

  // Volume is a volume attached to at least one node.
  class Volume {
   public:
    uint32_t Uses(Slot slot, AttachedBy by) const {
      const auto found = uses_.find(slot);
      return found == uses_.end() ? 0 : found->second[static_cast<size_t>(by)];
    }
    // Reports whether pods use it, on any node.
    bool HasPods() const { return pod_uses_ > 0; }

   private:
    friend class AttachedVolumes;
    std::map<Slot, std::array<uint32_t, 2>> uses_;  // by AttachedBy; never all zero
    size_t pod_uses_ = 0;
  };

  // Driver is the columns of one driver.
  class Driver {
   public:
    uint32_t used(Slot slot) const { return used_[slot]; }
    int64_t limit(Slot slot) const { return limits_[slot]; }

   private:
    friend class AttachedVolumes;
    std::vector<uint32_t> used_;
    std::vector<int64_t> limits_;
    size_t figures_ = 0;  // number of entries that are set
  };

  // Return null if not found. Valid until the next change.
  const Volume* Find(const CsiSource& source) const;
  const Driver* FindDriver(std::string_view name) const;
  // HasNode reports whether the node's CSINode is known; HasLimits whether it limits a driver.
  bool HasNode(Slot slot) const { return nodes_[slot].known; }
  bool HasLimits(Slot slot) const { return nodes_[slot].limits > 0; }

  void Resize(size_t slots);
  // Add or remove `times` uses of a volume on a node. Requires: only added uses are removed.
  void Add(Slot slot, const CsiSource& source, AttachedBy by, uint32_t times = 1);
  void Remove(Slot slot, const CsiSource& source, AttachedBy by, uint32_t times = 1);
  // Replaces the limits of a node by those of its CSINode; null: no CSINode.
  void SetNode(Slot slot, const api::CsiNode* node);

 private:
  struct Node {
    bool known = false;
    uint32_t limits = 0;
  };
  struct Hash : std::hash<std::string_view> {
    using is_transparent = void;
  };
  template <class Value>
  using ByName = std::unordered_map<std::string, Value, Hash, std::equal_to<>>;
  using Drivers = ByName<Driver>;

  Drivers::iterator DriverOf(const std::string& name);
  void DropIfUnused(Drivers::iterator driver);
  void Use(const std::string& driver, Slot slot, bool more);

  std::vector<Node> nodes_;  // by slot
  ByName<Volume> volumes_;   // by UniqueNameOf
  Drivers drivers_;
};

}  // namespace berth::scheduler
