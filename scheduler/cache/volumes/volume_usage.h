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

#include "scheduler/cache/change_log.h"
#include "scheduler/cache/volumes/attached_volumes.h"
#include "scheduler/cache/volumes/counted_volumes.h"
#include "scheduler/model/pod_info.h"

namespace berth::scheduler {

class VolumeStore;

// VolumeUsage is what placed pods do with volumes: which claims they use, and what is attached to
// which node because of them or because a VolumeAttachment says so. The store tells it of each object
// that changed, the cache of each pod and node. Owned by the store, on the scheduling thread.
//
// What a claim counts as hangs on the claim, its volume and its class, which come and go in any
// order; so only claims that a placed pod uses are looked at, and each change of an object asks
// anew for those that name it. A pod without volumes costs nothing.
//
// Invariants: Attached() is what CountVolume gives for the volumes of all pods that were added, and
// for all VolumeAttachments whose volume is there, on slots that have a node; because a change is
// always the old figure taken away and the new one added. Where a node's figures change because of an
// object, kNodeVolumes of its slot does; pods touch kNodePods, which the cache does.
class VolumeUsage {
 public:
  // Requires: both outlive it.
  VolumeUsage(const VolumeStore& objects, ChangeLog& changes)
      : objects_(objects), changes_(changes) {}
  VolumeUsage(const VolumeUsage&) = delete;
  VolumeUsage& operator=(const VolumeUsage&) = delete;

  const AttachedVolumes& Attached() const { return attached_; }
  // HasBroken says that a pod of the node has a volume that upstream cannot count, which is an error
  // for all that come: an ephemeral one whose claim is another's, an inline one that its driver cannot
  // be told.
  bool HasBroken(Slot slot) const { return broken_[slot] > 0; }
  // UsersOf gives the nodes of the pods that name the claim, "namespace/name", with how many times
  // they do; ephemeral volumes do not count.
  const std::map<Slot, uint32_t>& UsersOf(std::string_view claim) const;

  void Resize(size_t slots);
  void TakeSlot(Slot slot, const std::string& node);  // Requires: it was free
  void FreeSlot(Slot slot, const std::string& node);  // Requires: no pod is on it
  void AddPod(const PodInfo& pod, Slot slot);
  void RemovePod(const PodInfo& pod, Slot slot);

  // The store has another object under that key, or none any more.
  void OnClaim(const std::string& key);
  void OnVolume(const std::string& name);
  void OnStorageClass(const std::string& name);
  void OnCsiNode(const std::string& name);
  void OnAttachment(const std::string& name);
  void OnCleared();  // many objects

 private:
  struct EphemeralUse {
    Slot slot;
    std::string pod_uid;
  };
  struct Claim {
    std::map<Slot, uint32_t> users;        // how often it is named
    std::vector<EphemeralUse> ephemerals;  // one, unless pods had the same name
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
  // Mentions are the keys of what names an object, by the object's name.
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
  // Count adds what the claim counts as, for all its users, or takes it away.
  void Count(const Claim& claim, Change change);
  void Count(const Claim& claim, const EphemeralUse& use, Change change);
  void Count(const CountedClaim& counted, Slot slot, uint32_t times, Change change);
  void CountInline(const PodInfo& pod, const api::Volume& volume, Slot slot, Change change);
  void CountBroken(Slot slot, Change change);
  Attachment Read(const api::VolumeAttachment& object) const;
  void Count(const Attachment& attachment, Change change);  // where its node has a slot
  void Touch(Slot slot) { changes_.Touch(slot, Epoch::kNodeVolumes); }

  const VolumeStore& objects_;
  ChangeLog& changes_;
  AttachedVolumes attached_;
  std::vector<uint32_t> broken_;  // by slot
  ByName<Claim> claims_;          // by key; none is without a use
  ByName<Attachment> attachments_;
  ByName<Node> nodes_;  // none is without a slot or an attachment
  Mentions claims_of_volume_, claims_of_class_, attachments_of_volume_;
};

}  // namespace berth::scheduler
