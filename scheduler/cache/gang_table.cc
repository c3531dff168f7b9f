// SPDX-License-Identifier: Apache-2.0
#include "scheduler/cache/gang_table.h"

#include <algorithm>
#include <utility>

namespace berth::scheduler {
namespace {

// Returns the name of the PodGroup of a pod without a node; empty if it has none.
std::string PodGroupOf(const api::Pod& pod) {
  if (pod.metadata.labels.empty() || pod.metadata.deletion_timestamp) return {};
  static const std::string kLabel(api::kPodGroupLabel);
  const auto label = pod.metadata.labels.find(kLabel);
  return label != pod.metadata.labels.end() ? label->second : std::string();
}

}  // namespace

const Gang* GangTable::Of(const PodInfo& pod) const {
  if (pod.labels().empty() || !pod.labels().Value(label_)) return nullptr;
  return OfMember(pod.uid());
}

const Gang* GangTable::OfMember(const std::string& uid) const {
  const auto found = by_member_.find(uid);
  return found == by_member_.end() ? nullptr : found->second;
}

bool GangTable::Moves(const api::Pod& pod) const {
  const Gang* known = OfMember(pod.metadata.uid);
  const std::string name = PodGroupOf(pod);
  return known == nullptr ? !name.empty() : known->name() != name;
}

void GangTable::PutPending(const api::Pod& pod) {
  const std::string& uid = pod.metadata.uid;
  const std::string name = PodGroupOf(pod);
  if (name.empty()) return DropPending(uid);
  Gang& gang = Make(pod.metadata.namespace_, name);
  if (const auto known = by_member_.find(uid);
      known != by_member_.end() && known->second != &gang) {
    Leave(uid);
  }
  by_member_[uid] = &gang;
  gang.scheduler_name_ = pod.spec.scheduler_name;
  Edit(gang, uid, [&pod](Gang::Member& member) {
    member.is_pending = true;
    member.is_gated = !pod.spec.scheduling_gates.empty();
    member.scheduler_name = pod.spec.scheduler_name;
  });
}

void GangTable::DropPending(const std::string& uid) {
  const auto known = by_member_.find(uid);
  if (known == by_member_.end()) return;
  Gang& gang = *known->second;
  Gang::Member& member = gang.members_.at(uid);
  member.is_pending = false;
  if (!member.is_placed()) return Leave(uid);
  Review(gang);
}

void GangTable::AddPlaced(const std::shared_ptr<const PodInfo>& pod) {
  const auto name = pod->labels().empty() ? std::nullopt : pod->labels().Value(label_);
  const bool is_member = name && *name != kNoSymbol && !pod->terminating();
  if (!is_member) return RemovePlaced(*pod);
  Gang& gang = Make(pod->namespace_(), words_.Text(*name));
  // The label may have changed.
  if (const auto known = by_member_.find(pod->uid());
      known != by_member_.end() && known->second != &gang) {
    Leave(pod->uid());
  }
  by_member_[pod->uid()] = &gang;
  Edit(gang, pod->uid(), [&pod](Gang::Member& member) { member.placed = pod; });
}

void GangTable::RemovePlaced(const PodInfo& pod) {
  const auto known = by_member_.find(pod.uid());
  if (known == by_member_.end()) return;
  Gang& gang = *known->second;
  const Gang::Member& member = gang.members_.at(pod.uid());
  if (!member.is_placed()) return;
  // The pod may have completed before the status of the PodGroup counts it.
  if (member.placed->running()) gang.has_run_ = true;
  if (!member.is_pending) return Leave(pod.uid());
  Edit(gang, pod.uid(), [](Gang::Member& placed) { placed.placed.reset(); });
}

void GangTable::SetAside(const PodInfo& pod) { MarkAside(pod, true); }

void GangTable::PutBack(const PodInfo& pod) { MarkAside(pod, false); }

void GangTable::MarkAside(const PodInfo& pod, bool is_aside) {
  const auto known = by_member_.find(pod.uid());
  if (known == by_member_.end()) return;
  Gang& gang = *known->second;
  Gang::Member& member = gang.members_.at(pod.uid());
  if (member.placed == nullptr) return;
  gang.Uncount(member);
  member.is_aside = is_aside;
  gang.Count(member);
}

const Gang* GangTable::Put(const api::PodGroup& group) {
  Gang& gang = Make(group.metadata.namespace_, group.metadata.name);
  GangTerms terms = TermsOf(group);
  if (gang.terms_ && gang.terms_->uid != terms.uid) by_group_.erase(gang.terms_->uid);
  by_group_[terms.uid] = &gang;
  if (gang.terms_ == terms) return nullptr;
  gang.terms_ = std::move(terms);
  Review(gang);
  return &gang;
}

const Gang* GangTable::Remove(const std::string& uid) {
  const auto found = by_group_.find(uid);
  if (found == by_group_.end()) return nullptr;
  Gang& gang = *found->second;
  by_group_.erase(found);
  gang.terms_.reset();
  const bool has_members = !gang.members_.empty();
  Review(gang);
  return has_members ? &gang : nullptr;
}

void GangTable::Clear() {
  while (!by_group_.empty()) Remove(std::string(by_group_.begin()->first));
}

void GangTable::RecordPlacedHere(const Gang& gang) {
  Gang& placed = *gangs_.at(gang.Key());
  placed.placed_here_ = true;
  placed.has_run_ = false;
}

void GangTable::RecordRun(const Gang& gang) {
  Gang& run = *gangs_.at(gang.Key());
  run.has_run_ = true;
  Review(run);
}

const Gang* GangTable::Find(const std::string& key) const {
  const auto found = gangs_.find(key);
  return found == gangs_.end() ? nullptr : found->second.get();
}

Gang& GangTable::Make(const std::string& namespace_name, const std::string& name) {
  GangPtr& gang = gangs_[namespace_name + "/" + name];
  if (gang == nullptr) gang = std::make_unique<Gang>(namespace_name, name);
  return *gang;
}

template <class Change>
void GangTable::Edit(Gang& gang, const std::string& uid, Change&& change) {
  const auto [member, is_new] = gang.members_.try_emplace(uid);
  if (!is_new) gang.Uncount(member->second);
  change(member->second);
  gang.Count(member->second);
  Review(gang);
}

void GangTable::Leave(const std::string& uid) {
  const auto known = by_member_.find(uid);
  Gang& gang = *known->second;
  by_member_.erase(known);
  const auto member = gang.members_.find(uid);
  gang.Uncount(member->second);
  gang.members_.erase(member);
  Review(gang);
}

// Updates the state that depends on the members, and deletes a gang without members and PodGroup.
void GangTable::Review(Gang& gang) {
  const bool all_run = gang.terms_ && gang.running_ > 0 && gang.running_ >= gang.Needed();
  if (all_run) gang.has_run_ = true;
  const bool was_incomplete = incomplete_.erase(&gang) > 0;
  const bool is_incomplete = gang.IsIncomplete();
  if (is_incomplete) incomplete_.insert(&gang);
  if (was_incomplete || is_incomplete) changed_.insert(gang.Key());
  if (!gang.members_.empty() || gang.terms_) return;
  const auto ended = gangs_.extract(gang.Key());
  if (ended_) ended_(ended.key());
}

GangTerms GangTable::TermsOf(const api::PodGroup& group) const {
  GangTerms terms{.uid = group.metadata.uid,
                  .min_member = static_cast<size_t>(std::max(group.spec.min_member, 1)),
                  .succeeded = static_cast<size_t>(std::max(group.status.succeeded, 0)),
                  .created = group.metadata.creation_timestamp};
  if (group.spec.schedule_timeout_seconds.value_or(0) > 0) {
    terms.timeout = std::chrono::seconds(*group.spec.schedule_timeout_seconds);
  }
  if (group.spec.min_resources)
    terms.min_resources = ToResources(*group.spec.min_resources, words_);
  return terms;
}

}  // namespace berth::scheduler
