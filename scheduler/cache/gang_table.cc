// SPDX-License-Identifier: Apache-2.0
#include "scheduler/cache/gang_table.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace berth::scheduler {

// A pod that names a PodGroup of each API belongs to that of Kubernetes itself. A terminating pod
// belongs to none.
GangTable::GangName GangTable::NameIn(const api::Pod& pod) {
  if (pod.metadata.deletion_timestamp) return {};
  const auto& native = pod.spec.scheduling_group.ValueOrDefault().pod_group_name;
  if (native && !native->empty()) return {GangApi::kNative, *native};
  if (pod.metadata.labels.empty()) return {};
  static const std::string kLabel(api::kPodGroupLabel);
  const auto label = pod.metadata.labels.find(kLabel);
  if (label == pod.metadata.labels.end()) return {};
  return {GangApi::kCoscheduling, label->second};
}

GangTable::GangName GangTable::NameIn(const PodInfo& pod) const {
  if (pod.terminating()) return {};
  if (!pod.pod_group().empty()) return {GangApi::kNative, pod.pod_group()};
  const auto label = pod.labels().empty() ? std::nullopt : pod.labels().Value(label_);
  if (!label || *label == kNoSymbol) return {};
  return {GangApi::kCoscheduling, words_.Text(*label)};
}

const Gang* GangTable::Of(const PodInfo& pod) const {
  const bool names_one =
      !pod.pod_group().empty() || (!pod.labels().empty() && pod.labels().Value(label_));
  return names_one ? OfMember(pod.uid()) : nullptr;
}

const Gang* GangTable::OfMember(const std::string& uid) const {
  const auto found = by_member_.find(uid);
  return found == by_member_.end() ? nullptr : found->second;
}

bool GangTable::Moves(const api::Pod& pod) const {
  const Gang* known = OfMember(pod.metadata.uid);
  const auto [api, name] = NameIn(pod);
  return known == nullptr ? !name.empty() : known->api() != api || known->name() != name;
}

void GangTable::PutPending(const api::Pod& pod) {
  const std::string& uid = pod.metadata.uid;
  const GangName name = NameIn(pod);
  if (name.name.empty()) return DropPending(uid);
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
    member.never_preempts = pod.spec.preemption_policy == "Never";
    member.priority = pod.spec.priority.value_or(0);
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
  const GangName name = NameIn(*pod);
  if (name.name.empty()) return RemovePlaced(*pod);
  Gang& gang = Make(pod->namespace_(), name);
  // The label may have changed.
  if (const auto known = by_member_.find(pod->uid());
      known != by_member_.end() && known->second != &gang) {
    Leave(pod->uid());
  }
  by_member_[pod->uid()] = &gang;
  Edit(gang, pod->uid(), [&pod](Gang::Member& member) {
    member.placed = pod;
    member.priority = pod->priority();
  });
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
  GangTerms terms{.min_member = static_cast<size_t>(std::max(group.spec.min_member, 1)),
                  .succeeded = static_cast<size_t>(std::max(group.status.succeeded, 0))};
  if (group.spec.schedule_timeout_seconds.value_or(0) > 0) {
    terms.timeout = std::chrono::seconds(*group.spec.schedule_timeout_seconds);
  }
  if (group.spec.min_resources) {
    terms.min_resources = ToResources(*group.spec.min_resources, words_);
  }
  return PutTerms(Make(group.metadata.namespace_, {GangApi::kCoscheduling, group.metadata.name}),
                  group.metadata, std::move(terms));
}

const Gang* GangTable::Put(std::shared_ptr<const api::NativePodGroup> group) {
  const api::ObjectMeta& metadata = group->metadata;
  const api::NativePodGroupSpec& spec = group->spec;
  const auto& policy = spec.scheduling_policy.gang;
  GangTerms terms{
      .min_member = static_cast<size_t>(policy ? std::max(policy->min_count, 1) : 1),
      .disruption = spec.IsDisruptedTogether() ? GangDisruption::kTogether : GangDisruption::kAny,
      .priority = spec.priority.value_or(0),
      .has_claims = !spec.resource_claims.empty()};
  if (spec.scheduling_constraints && !spec.scheduling_constraints->topology.empty()) {
    terms.topology_key = spec.scheduling_constraints->topology.front().key;
  }
  Gang& gang = Make(metadata.namespace_, {GangApi::kNative, metadata.name});
  gang.native_ = group;
  return PutTerms(gang, metadata, std::move(terms));
}

const Gang* GangTable::PutTerms(Gang& gang, const api::ObjectMeta& group, GangTerms terms) {
  terms.uid = group.uid;
  terms.created = group.creation_timestamp;
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
  gang.native_.reset();
  const bool has_members = !gang.members_.empty();
  Review(gang);
  return has_members ? &gang : nullptr;
}

void GangTable::Clear(GangApi api) {
  std::vector<std::string> uids;
  for (const auto& [uid, gang] : by_group_) {
    if (gang->api() == api) uids.push_back(uid);
  }
  for (const std::string& uid : uids) Remove(uid);
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

Gang& GangTable::Make(const std::string& namespace_name, const GangName& name) {
  GangPtr& gang = gangs_[Gang::KeyOf(name.api, namespace_name, name.name)];
  if (gang == nullptr) gang = std::make_unique<Gang>(name.api, namespace_name, name.name);
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
  const bool is_ready = gang.api() == GangApi::kNative && gang.IsReady();
  if (is_ready && !gang.was_ready_) ready_.insert(gang.Key());
  gang.was_ready_ = is_ready;
  if (!gang.members_.empty() || gang.terms_) return;
  const auto ended = gangs_.extract(gang.Key());
  if (ended_) ended_(ended.key());
}

}  // namespace berth::scheduler
