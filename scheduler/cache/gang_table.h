// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <unordered_map>
#include <unordered_set>

#include "api/pod.h"
#include "api/pod_group.h"
#include "scheduler/model/gang.h"
#include "scheduler/model/pod_info.h"
#include "scheduler/model/vocabulary.h"

namespace berth::scheduler {

// GangTable is the gangs of the cluster. A pod that names no PodGroup costs one look at its labels.
// Invariants: a pod (by UID) is in one gang at most; a gang is there as long as it has a member or a
// PodGroup. Owned by the scheduling thread.
class GangTable {
 public:
  explicit GangTable(Vocabulary& words)
      : words_(words), label_(words.Intern(std::string(api::kPodGroupLabel))) {}

  // Of gives the gang of a pod, null for one that names no PodGroup. It stays where it is while it
  // has members.
  const Gang* Of(const PodInfo& pod) const;
  const Gang* OfMember(const std::string& uid) const;

  // Moves says whether this state of a pod is of another gang than the one it is in; none counts as
  // another.
  bool Moves(const api::Pod& pod) const;

  // PutPending takes the newest state of a pod without a node, whichever scheduler it asks for; one
  // that is being deleted is no member any more. DropPending is for one that is gone, or has a node.
  void PutPending(const api::Pod& pod);
  void DropPending(const std::string& uid);
  // AddPlaced takes the newest state of a pod on a node; one that is being deleted is no member any
  // more. RemovePlaced is for one that is gone from there.
  void AddPlaced(const std::shared_ptr<const PodInfo>& pod);
  void RemovePlaced(const PodInfo& pod);

  // Put takes the newest state of a PodGroup. It gives the gang if its terms are others now, or null.
  const Gang* Put(const api::PodGroup& group);
  // Remove forgets a PodGroup, Clear all of them.
  void Remove(const std::string& uid);
  void Clear();

  // TurnOf gives the gang's place in the queue, which begins now if it has none yet.
  std::shared_ptr<const GangTurn> TurnOf(const Gang& gang, SteadyTime now);
  // RecordFailure and RecordSuccess keep what became of an attempt with a gang of this table. A failure
  // says whether its text is news; a success has placed so many members.
  bool RecordFailure(const Gang& gang, SteadyTime now, std::string text);
  void RecordSuccess(const Gang& gang, size_t placed);
  // RecordBinding says that members are on their way, RecordWaiting that others wait for them, and
  // EndBarrier that they are not any more: it gives the gang, if anybody waits, or null.
  void RecordBinding(const Gang& gang);
  void RecordWaiting(const Gang& gang);
  const Gang* EndBarrier(const std::string& key);

  // Find gives a gang by namespace/name, or null.
  const Gang* Find(const std::string& key) const;
  // Incomplete lists the gangs of which Gang::IsIncomplete holds, in no order.
  const std::unordered_set<const Gang*>& Incomplete() const { return incomplete_; }
  size_t size() const { return gangs_.size(); }
  bool HasMembers() const { return !by_member_.empty(); }

 private:
  using GangPtr = std::unique_ptr<Gang>;

  Gang& Make(const std::string& namespace_name, const std::string& name);
  // Edit changes a member, or makes one, by `change(member)`.
  template <class Change>
  void Edit(Gang& gang, const std::string& uid, Change&& change);
  void Leave(const std::string& uid);
  void Review(Gang& gang);  // after each change
  GangTerms TermsOf(const api::PodGroup& group) const;

  Vocabulary& words_;
  const Word label_;
  std::unordered_map<std::string, GangPtr> gangs_;    // by namespace/name
  std::unordered_map<std::string, Gang*> by_member_;  // by the pod's UID
  std::unordered_map<std::string, Gang*> by_group_;   // by the PodGroup's UID
  std::unordered_set<const Gang*> incomplete_;
};

}  // namespace berth::scheduler
