// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "api/native_pod_group.h"
#include "api/pod.h"
#include "api/pod_group.h"
#include "scheduler/model/gang.h"
#include "scheduler/model/pod_info.h"
#include "scheduler/model/vocabulary.h"

namespace berth::scheduler {

// GangTable holds the gangs of the cluster. A pod without a PodGroup costs one lookup in its
// labels. Invariants: a pod (by UID) is in one gang at most; a gang exists as long as it has a
// member or a PodGroup. Owned by the scheduling thread.
class GangTable {
 public:
  explicit GangTable(Vocabulary& words)
      : words_(words), label_(words.Intern(std::string(api::kPodGroupLabel))) {}

  // Returns the gang of a pod; null if the pod names no PodGroup. The pointer is valid while the
  // gang has members.
  const Gang* Of(const PodInfo& pod) const;
  const Gang* OfMember(const std::string& uid) const;

  // Reports whether this state of a pod belongs to a different gang than the known state. "No gang"
  // counts as a gang of its own.
  bool Moves(const api::Pod& pod) const;

  // PutPending stores the newest state of a pod without a node, of any scheduler. A terminating pod
  // is not a member. DropPending removes a pod that was deleted or has a node now.
  void PutPending(const api::Pod& pod);
  void DropPending(const std::string& uid);
  // AddPlaced stores the newest state of a pod on a node. A terminating pod is not a member.
  // RemovePlaced removes a pod from its node.
  void AddPlaced(const std::shared_ptr<const PodInfo>& pod);
  void RemovePlaced(const PodInfo& pod);
  // SetAside stops counting a placed member, to simulate its node without it. PutBack undoes this.
  // They change nothing else of the gang: its history and its members stay. No other change of the
  // member comes in between.
  void SetAside(const PodInfo& pod);
  void PutBack(const PodInfo& pod);

  // Stores the newest state of a PodGroup. Returns the gang if its terms changed, else null.
  const Gang* Put(const api::PodGroup& group);
  const Gang* Put(std::shared_ptr<const api::NativePodGroup> group);
  // Remove deletes a PodGroup and returns its gang if that has members. Clear deletes all those of
  // an API.
  const Gang* Remove(const std::string& uid);
  void Clear(GangApi api);

  // Records that this scheduler placed the gang, starting from no placed member.
  void RecordPlacedHere(const Gang& gang);
  // Records that a member of the gang ran, although no state of it showed that.
  void RecordRun(const Gang& gang);
  // Registers a callback with the key of each gang that ends.
  void OnEnded(std::function<void(const std::string& key)> ended) { ended_ = std::move(ended); }

  // Returns the gang with this key (Gang::Key), or null.
  const Gang* Find(const std::string& key) const;
  // Returns the keys of gangs that changed since the last call and are incomplete, or were before
  // the change. Unordered; the gang may have ended.
  std::unordered_set<std::string> TakeChangedIncomplete() { return std::exchange(changed_, {}); }
  // Returns the keys of native gangs that became ready (Gang::IsReady) since the last call.
  // Unordered; the gang may have ended.
  std::unordered_set<std::string> TakeReady() { return std::exchange(ready_, {}); }
  // Returns the gangs with Gang::IsIncomplete, unordered.
  const std::unordered_set<const Gang*>& Incomplete() const { return incomplete_; }
  size_t size() const { return gangs_.size(); }
  bool HasMembers() const { return !by_member_.empty(); }

 private:
  using GangPtr = std::unique_ptr<Gang>;

  // GangName is the PodGroup that a pod names, in the pod's namespace; without a name: none.
  struct GangName {
    GangApi api = GangApi::kCoscheduling;
    std::string name;
  };
  static GangName NameIn(const api::Pod& pod);
  GangName NameIn(const PodInfo& pod) const;
  Gang& Make(const std::string& namespace_name, const GangName& name);
  const Gang* PutTerms(Gang& gang, const api::ObjectMeta& group, GangTerms terms);
  // Counts a placed member, or stops counting it.
  void MarkAside(const PodInfo& pod, bool is_aside);
  // Calls change(member) on a member, which it creates if needed.
  template <class Change>
  void Edit(Gang& gang, const std::string& uid, Change&& change);
  void Leave(const std::string& uid);
  void Review(Gang& gang);  // after each change

  Vocabulary& words_;
  const Word label_;
  std::unordered_map<std::string, GangPtr> gangs_;    // by Gang::Key
  std::unordered_map<std::string, Gang*> by_member_;  // by the pod's UID
  std::unordered_map<std::string, Gang*> by_group_;   // by the PodGroup's UID
  std::unordered_set<const Gang*> incomplete_;
  std::unordered_set<std::string> changed_;  // by Gang::Key
  std::unordered_set<std::string> ready_;    // by Gang::Key
  std::function<void(const std::string& key)> ended_;
};

}  // namespace berth::scheduler
