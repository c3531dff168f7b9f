// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "scheduler/model/change_log.h"
#include "scheduler/model/pod_info.h"
#include "scheduler/model/volumes/attached_volumes.h"
#include "scheduler/model/volumes/counted_volumes.h"

namespace berth::scheduler {

class VolumeStore;

// VolumeUsage tracks the use of volumes: which claims the placed pods use, and which volumes are
// attached to a node because of pods or VolumeAttachments. The store reports each changed object,
// the cache each pod and node. Owned by the store, on the scheduling thread.
//
// A claim is counted by its volume and its class, which arrive in any order. So only claims that a
// placed pod uses are resolved, and a change of an object resolves the claims that name it again. A
// pod without volumes costs nothing.
//
// Invariants: Attached() equals the result of CountVolume over the volumes of all added pods, plus
// all VolumeAttachments with a known volume, on slots that have a node. Each change removes the old
// value and adds the new one. If an object changes the values of a node, kNodeVolumes of its slot
// is touched. For pods, the cache touches kNodePods.
class VolumeUsage {
 public:
  // Requires: both outlive this object.
  VolumeUsage(const VolumeStore& objects, ChangeLog& changes)
      : objects_(objects), changes_(changes) {}
  VolumeUsage(const VolumeUsage&) = delete;
  VolumeUsage& operator=(const VolumeUsage&) = delete;

  const AttachedVolumes& Attached() const { return attached_; }
  // Reports whether a pod of the node has a volume that upstream cannot count. This is an error for
  // every new pod. Examples: the claim of an ephemeral volume belongs to another pod, or the driver
  // of an inline volume is unknown.
  bool HasBroken(Slot slot) const { return broken_[slot] > 0; }
  // Returns the nodes of the pods that name the claim ("namespace/name"), with the number of uses.
  // Ephemeral volumes do not count.
  const std::map<Slot, uint32_t>& UsersOf(std::string_view claim) const;

  void Resize(size_t slots);
  void TakeSlot(Slot slot, const std::string& node);  // Requires: the slot was free
  void FreeSlot(Slot slot, const std::string& node);  // Requires: no pod is on the slot
  void AddPod(const PodInfo& pod, Slot slot);
  void RemovePod(const PodInfo& pod, Slot slot);

  // Apply the addition, change or deletion of the object with that key.
  void OnClaim(const std::string& key);
  void OnVolume(const std::string& name);
  void OnStorageClass(const std::string& name);
  void OnCsiNode(const std::string& name);
  void OnAttachment(const std::string& name);
  void OnCleared();  // many objects changed

 private:
  struct EphemeralUse {
    Slot slot;
    std::string pod_uid;
  };
  struct Claim {
    std::map<Slot, uint32_t> users;        // uses by node
    std::vector<EphemeralUse> ephemerals;  // one, unless several pods had the same name
    CountedClaim counted;
  };
  struct Attachment {
    std::string node;
    std::string volume;
    std::optional<CsiSource> source;  // absent: it does not count
  };
  struct Node {
    Slot slot = kNoSlot;
    std::set<std::string> attachments;
  };
  struct Hash : std::hash<std::string_view> {
    using is_transparent = void;
  };
  template <class Value>
  using ByName = std::unordered_map<std::string, Value, Hash, std::equal_to<>>;
  // Mentions is the keys of the objects that name an object, by the name of the latter.
  using Mentions = ByName<std::set<std::string>>;

  enum class Change : uint8_t { kAdd, kRemove };

  static void Mention(Mentions& mentions, const std::string& name, const std::string& key);
  static void Unmention(Mentions& mentions, const std::string& name, const std::string& key);
  static std::set<std::string> MentionsOf(const Mentions& mentions, const std::string& name);

  Claim& ClaimAt(const std::string& key);
  void DropIfUnused(const std::string& key, const Claim& claim);
  void Register(const std::string& key, const CountedClaim& counted);
  void Unregister(const std::string& key, const CountedClaim& counted);
  static bool IsBroken(const Claim& claim, const EphemeralUse& use) {
    return claim.counted.owner && *claim.counted.owner != use.pod_uid;
  }
  // Adds or removes the volume of the claim for all its users.
  void Count(const Claim& claim, Change change);
  void Count(const Claim& claim, const EphemeralUse& use, Change change);
  void Count(const CountedClaim& counted, Slot slot, uint32_t times, Change change);
  void CountInline(const PodInfo& pod, const api::Volume& volume, Slot slot, Change change);
  void CountBroken(Slot slot, Change change);
  Attachment Read(const api::VolumeAttachment& object) const;
  void Count(const Attachment& attachment, Change change);  // if its node has a slot
  void Touch(Slot slot) { changes_.Touch(slot, Epoch::kNodeVolumes); }

  const VolumeStore& objects_;
  ChangeLog& changes_;
  AttachedVolumes attached_;
  std::vector<uint32_t> broken_;  // by slot
  ByName<Claim> claims_;          // by key; each has a use
  ByName<Attachment> attachments_;
  ByName<Node> nodes_;  // each has a slot or an attachment
  Mentions claims_of_volume_, claims_of_class_, attachments_of_volume_;
};

}  // namespace berth::scheduler
