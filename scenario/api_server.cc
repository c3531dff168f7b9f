// SPDX-License-Identifier: Apache-2.0
#include "scenario/api_server.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

#include "api/volume_annotations.h"
#include "scenario/volumes.h"
#include "scheduler/scheduler.h"

namespace berth::scenario {
namespace {

using scheduler::PodRef;

bool HasEnded(const api::Pod& pod) {
  return pod.status.phase == "Succeeded" || pod.status.phase == "Failed";
}

Failure Exists(std::string_view kind, const std::string& key) {
  return ConfigError(std::string(kind) + " " + ShortKey(key) + " exists already; use update");
}

Failure Missing(std::string_view kind, const std::string& key) {
  return ConfigError("unknown " + std::string(kind) + " " + ShortKey(key));
}

std::string Outcome(const Result<void>& result) { return result ? "ok" : result.error().message(); }

}  // namespace

Result<void> ApiServer::CreateNode(const Template& written) {
  if (nodes_.contains(written.key)) return Exists("node", written.key);
  BERTH_TRY(api::Node node, MakeNode(written));
  identities_.Give("node", node.metadata, clock_.Wall());
  NodeRecord& record = nodes_[written.key];
  record.written = written;
  record.object = std::make_shared<const api::Node>(std::move(node));
  core_->On(api::Added(record.object));
  return {};
}

Result<void> ApiServer::CreatePod(const Template& written) {
  if (pods_.contains(written.key)) return Exists("pod", written.key);
  BERTH_TRY(api::Pod pod, MakePod(written, clock_.Wall()));
  identities_.Give("pod", pod.metadata, clock_.Wall());
  PodRecord& record = pods_[written.key];
  record.written = written;
  record.object = std::make_shared<const api::Pod>(std::move(pod));
  if (!HasEnded(*record.object)) core_->On(api::Added(record.object));
  return {};
}

Result<void> ApiServer::UpdateNode(const Template& patch) {
  const auto found = nodes_.find(patch.key);
  if (found == nodes_.end()) return Missing("node", patch.key);
  NodeRecord& record = found->second;
  BERTH_TRY(Template merged, Merge(Kind::kNode, record.written, patch));
  BERTH_TRY(api::Node node, MakeNode(merged));
  const api::ObjectMeta& before = record.object->metadata;
  node.metadata.uid = before.uid;
  node.metadata.creation_timestamp = before.creation_timestamp;
  node.metadata.generation = before.generation;
  node.metadata.resource_version = identities_.NextVersion();
  const auto old_node = std::exchange(record.object, std::make_shared<const api::Node>(node));
  record.written = std::move(merged);
  core_->On(api::Modified(old_node, record.object));
  return {};
}

Result<void> ApiServer::UpdatePod(const Template& patch) {
  const auto found = pods_.find(patch.key);
  if (found == pods_.end()) return Missing("pod", patch.key);
  PodRecord& record = found->second;
  BERTH_TRY(Template merged, Merge(Kind::kPod, record.written, patch));
  BERTH_TRY(api::Pod pod, MakePod(merged, clock_.Wall()));
  const api::Pod& before = *record.object;
  BERTH_TRY(const api::Pod was, MakePod(record.written, clock_.Wall()));
  pod.metadata.uid = before.metadata.uid;
  pod.metadata.creation_timestamp = before.metadata.creation_timestamp;
  if (before.metadata.deletion_timestamp) {
    pod.metadata.deletion_timestamp = before.metadata.deletion_timestamp;
  }
  // The scheduler's writes stay, unless the patch changes them.
  if (pod.spec.node_name.empty()) pod.spec.node_name = before.spec.node_name;
  if (pod.status.nominated_node_name == was.status.nominated_node_name) {
    pod.status.nominated_node_name = before.status.nominated_node_name;
  }
  for (const api::PodCondition& condition : before.status.conditions) {
    if (condition.type == "PodScheduled") SetCondition(pod.status.conditions, condition);
  }
  pod.metadata.generation = before.metadata.generation + (pod.spec == before.spec ? 0 : 1);
  record.written = std::move(merged);
  Replace(record, std::move(pod));
  return {};
}

Result<void> ApiServer::DeleteNode(const std::string& name) {
  const auto found = nodes_.extract(name);
  if (found.empty()) return Missing("node", name);
  core_->On(api::Deleted(found.mapped().object));
  return {};
}

Result<void> ApiServer::Create(const Manifest& written) {
  return manifests_.Create(written, clock_.Wall(), *core_);
}

Result<void> ApiServer::Replace(const Manifest& written) {
  return manifests_.Replace(written, *core_);
}

Result<void> ApiServer::DeleteObject(const std::string& key) {
  return manifests_.Delete(key, *core_);
}

Result<void> ApiServer::DeletePod(const std::string& key) {
  const auto found = pods_.extract(key);
  if (found.empty()) return Missing("pod", key);
  const auto& pod = found.mapped().object;
  if (!HasEnded(*pod)) core_->On(api::Deleted(pod));
  return {};
}

void ApiServer::Replace(PodRecord& record, api::Pod pod) {
  pod.metadata.resource_version = identities_.NextVersion();
  const auto before =
      std::exchange(record.object, std::make_shared<const api::Pod>(std::move(pod)));
  if (!HasEnded(*record.object)) {
    core_->On(api::Modified(before, record.object));
  } else if (!HasEnded(*before)) {
    core_->On(api::Deleted(record.object));
  }
}

void ApiServer::SetFault(const BindFault& fault) {
  if (fault.fail) faults_.push_back(fault);
  if (fault.answers == BindFault::Answers::kAsBefore) return;
  keeps_answers_ = fault.answers == BindFault::Answers::kLater;
  if (keeps_answers_) return;
  std::move(kept_.begin(), kept_.end(), std::back_inserter(calls_));
  kept_.clear();
}

std::optional<Reason> ApiServer::TakeFault(const std::string& key) {
  for (auto fault = faults_.begin(); fault != faults_.end(); ++fault) {
    if (!fault->pod.empty() && fault->pod != key) continue;
    if (--fault->nth > 0) continue;
    const std::optional<Reason> reason = fault->fail;
    faults_.erase(fault);
    return reason;
  }
  return std::nullopt;
}

void ApiServer::Bind(const PodRef& pod, const std::string& node, Done done) {
  const auto answer = [this, pod, node, done = std::move(done)] {
    const Result<void> result = AnswerBind(pod, node);
    log_("bind " + ShortKey(pod.Key()) + " to " + node + ": " + Outcome(result));
    done(result);
    if (!result) return;
    PodRecord& record = pods_[pod.Key()];
    api::Pod bound = *record.object;
    bound.spec.node_name = node;
    bound.status.nominated_node_name.clear();
    SetCondition(bound.status.conditions, api::PodCondition{.type = "PodScheduled",
                                                            .status = "True",
                                                            .reason = {},
                                                            .message = {},
                                                            .last_transition_time = clock_.Wall()});
    Replace(record, std::move(bound));
  };
  (keeps_answers_ ? kept_ : calls_).emplace_back(answer);
}

Result<ApiServer::PodRecord*> ApiServer::Incarnation(const PodRef& ref) {
  const auto found = pods_.find(ref.Key());
  if (found == pods_.end()) return Fail(Reason::kNotFound, "pods \"" + ref.name + "\" not found");
  const std::string& uid = found->second.object->metadata.uid;
  if (uid == ref.uid) return &found->second;
  return Fail(Reason::kConflict, "the UID in the precondition (" + ref.uid +
                                     ") does not match the UID in record (" + uid + ")");
}

// Validates a binding; on success the caller applies it.
Result<void> ApiServer::AnswerBind(const PodRef& ref, const std::string& node) {
  BERTH_TRY(const PodRecord* record, Incarnation(ref));
  if (const auto fault = TakeFault(ref.Key())) {
    return Fail(*fault, "the scenario lets this binding fail: " + std::string(ToString(*fault)));
  }
  const api::Pod& pod = *record->object;
  if (pod.metadata.deletion_timestamp) {
    return Fail(Reason::kConflict,
                "pod " + ref.name + " is being deleted, cannot be assigned to a host");
  }
  if (!pod.spec.node_name.empty()) {
    return Fail(Reason::kConflict, "pod " + ref.name + " is already assigned to node \"" +
                                       pod.spec.node_name + "\", not \"" + node + "\"");
  }
  return {};
}

void ApiServer::PatchPodStatus(const PodRef& pod, scheduler::PodStatusPatch patch, Done done) {
  calls_.emplace_back([this, pod, patch = std::move(patch), done = std::move(done)] {
    done(AnswerPatch(pod, patch));
  });
}

Result<void> ApiServer::AnswerPatch(const PodRef& ref, const scheduler::PodStatusPatch& patch) {
  BERTH_TRY(PodRecord * record, Incarnation(ref));
  api::Pod pod = *record->object;
  if (patch.condition) {
    SetCondition(pod.status.conditions, *patch.condition);
    log_("condition " + ShortKey(ref.Key()) + " " + TextOf(*patch.condition));
  }
  if (patch.nominated_node_name) {
    pod.status.nominated_node_name = *patch.nominated_node_name;
    log_("nominated " + ShortKey(ref.Key()) + " to \"" + *patch.nominated_node_name + "\"");
  }
  if (pod.status == record->object->status) return {};
  Replace(*record, std::move(pod));
  return {};
}

void ApiServer::MarkVictim(const PodRef& victim, api::PodCondition condition, Done done) {
  scheduler::PodStatusPatch patch;
  patch.condition = std::move(condition);
  PatchPodStatus(victim, std::move(patch), std::move(done));
}

void ApiServer::DeletePod(const PodRef& victim, Done done) {
  calls_.emplace_back([this, victim, done = std::move(done)] { done(AnswerDelete(victim)); });
}

void ApiServer::EvictPod(const PodRef& victim, Done done) { DeletePod(victim, std::move(done)); }

void ApiServer::ReadPod(const PodRef& pod, PodDone done) {
  calls_.emplace_back([this, pod, done = std::move(done)] {
    const auto record = Incarnation(pod);
    done(record ? Result<std::shared_ptr<const api::Pod>>((*record)->object)
                : Fail(Reason::kNotFound, record.error().message()));
  });
}

Result<void> ApiServer::AnswerDelete(const PodRef& ref) {
  BERTH_TRY_VOID(Incarnation(ref));
  log_("delete " + ShortKey(ref.Key()));
  return DeletePod(ref.Key());
}

void ApiServer::BindVolume(const api::PersistentVolume& assumed, Done done) {
  calls_.emplace_back([this, assumed, done = std::move(done)] {
    const Result<void> result = CheckVersion(assumed, *core_);
    log_("bind volume " + assumed.metadata.name + " to " +
         ShortKey(assumed.spec.claim_ref->namespace_ + "/" + assumed.spec.claim_ref->name) + ": " +
         Outcome(result));
    done(result);
    if (result) BindVolumeAndClaim(assumed, identities_, *core_);
  });
}

void ApiServer::SelectNode(const api::PersistentVolumeClaim& assumed, Done done) {
  calls_.emplace_back([this, assumed, done = std::move(done)] {
    const Result<void> result = CheckVersion(assumed, *core_);
    log_("select node " + *api::SelectedNodeOf(assumed) + " for claim " +
         ShortKey(api::KeyOf(assumed.metadata)) + ": " + Outcome(result));
    done(result);
    if (result) Provision(assumed, clock_.Wall(), identities_, *core_);
  });
}

void ApiServer::PatchGroupCondition(const api::ObjectReference& group, api::Condition condition,
                                    Done done) {
  calls_.emplace_back([this, group, condition = std::move(condition), done = std::move(done)] {
    log_("condition of PodGroup " + ShortKey(group.namespace_ + "/" + group.name) + " " +
         TextOf(condition));
    done(manifests_.SetGroupCondition(group, condition, *core_));
  });
}

void ApiServer::RecordEvent(const api::ObjectReference& about, scheduler::ObjectEvent event) {
  const std::string_view type = event.type == scheduler::EventType::kNormal ? "Normal" : "Warning";
  std::string line = std::string(type) + " " + event.reason + " " +
                     ShortKey(about.namespace_ + "/" + about.name) + ": " + event.note;
  log_("event " + line);
  events_.push_back(std::move(line));
}

void ApiServer::Deliver() {
  while (!calls_.empty()) {
    const auto call = std::move(calls_.front());
    calls_.pop_front();
    call();
  }
}

std::shared_ptr<const api::Pod> ApiServer::FindPod(const std::string& key) const {
  const auto found = pods_.find(key);
  return found == pods_.end() ? nullptr : found->second.object;
}

std::vector<std::shared_ptr<const api::Node>> ApiServer::Nodes() const {
  std::vector<std::shared_ptr<const api::Node>> nodes;
  for (const auto& [name, record] : nodes_) nodes.push_back(record.object);
  return nodes;
}

std::vector<std::shared_ptr<const api::Pod>> ApiServer::Pods() const {
  std::vector<std::shared_ptr<const api::Pod>> pods;
  for (const auto& [key, record] : pods_) {
    if (!HasEnded(*record.object)) pods.push_back(record.object);
  }
  return pods;
}

std::vector<std::string> ApiServer::TakeEvents() { return std::exchange(events_, {}); }

}  // namespace berth::scenario
