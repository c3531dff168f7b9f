// SPDX-License-Identifier: Apache-2.0
#include "scheduler/plugins/volumes/pod_volumes.h"

#include <algorithm>

#include "api/volume_annotations.h"
#include "scheduler/model/pod_claims.h"
#include "scheduler/model/volumes/volume_store.h"
#include "scheduler/plugins/volumes/pod_claims.h"

namespace berth::scheduler {
namespace {

constexpr std::string_view kWaitForFirstConsumer = "WaitForFirstConsumer";

// Returns the error of a claim as stored in the API server, or an empty string.
std::string ErrorText(const PendingPod& pod, const PodClaim& claim,
                      const api::PersistentVolumeClaim* stored) {
  const std::string quoted = "persistentvolumeclaim \"" + claim.name + "\"";
  if (stored == nullptr) {
    return claim.is_ephemeral ? "waiting for ephemeral volume controller to create the " + quoted
                              : ClaimNotFound(claim.name);
  }
  if (stored->status.phase == "Lost") {
    return quoted + " bound to non-existent persistentvolume \"" + stored->spec.volume_name + "\"";
  }
  if (stored->metadata.deletion_timestamp) return quoted + " is being deleted";
  if (!claim.is_ephemeral || IsCreatedFor(pod.uid(), *stored)) return {};
  return NotCreatedFor(pod, claim.name);
}

}  // namespace

VolumeDecision NodeVolumes::Decision() const {
  VolumeDecision decision;
  for (const auto& [claim, volume] : bindings) {
    decision.bindings.push_back({volume->object, claim->object()});
  }
  for (const auto& [claim, capacity] : provisions) {
    decision.provisions.push_back({claim->object(), capacity});
  }
  return decision;
}

Status PodVolumes::Create(const CycleContext& cycle, std::optional<PodVolumes>& made) {
  const PendingPod& pod = cycle.pod;
  const VolumeStore& store = cycle.snapshot.Volumes();
  const std::vector<PodClaim> claims = ClaimsOf(pod, ClaimVolumes::kAll);
  if (claims.empty()) return Status::Skip();
  for (const PodClaim& claim : claims) {
    std::string wrong = ErrorText(
        pod, claim, store.Find<api::PersistentVolumeClaim>(claim.KeyIn(pod.namespace_())));
    if (!wrong.empty()) return Status::UnschedulableAndUnresolvable(std::move(wrong));
  }
  PodVolumes volumes;
  bool is_immediate_unbound = false;
  for (const PodClaim& named : claims) {
    auto claim = store.View<api::PersistentVolumeClaim>(named.KeyIn(pod.namespace_()));
    if (api::IsFullyBound(*claim)) {
      const IndexedVolume* volume = store.Volumes().Find(claim->spec.volume_name);
      auto& reach = volumes.bound_.emplace_back();
      if (volume != nullptr) reach.emplace(*volume, cycle.snapshot);
      continue;
    }
    const std::string class_name = api::StorageClassOf(*claim);
    const auto* storage_class =
        class_name.empty() ? nullptr : store.Find<api::StorageClass>(class_name);
    if (storage_class != nullptr && !storage_class->volume_binding_mode) {
      return Status::Failed("VolumeBindingMode not set for StorageClass \"" + class_name + "\"");
    }
    if (storage_class == nullptr || *storage_class->volume_binding_mode != kWaitForFirstConsumer ||
        !claim->spec.volume_name.empty()) {
      is_immediate_unbound = true;
      continue;
    }
    auto& list = api::SelectedNodeOf(*claim) != nullptr ? volumes.provisioned_ : volumes.unbound_;
    list.emplace_back(std::move(claim), *storage_class, cycle.snapshot);
  }
  if (is_immediate_unbound) {
    return Status::UnschedulableAndUnresolvable("pod has unbound immediate PersistentVolumeClaims");
  }
  std::ranges::stable_sort(volumes.unbound_, {}, &UnboundClaim::size);
  made = std::move(volumes);
  return Status::Success();
}

void PodVolumes::CheckNode(const NodeInfo& node, const Snapshot& snapshot,
                           NodeVolumes& found) const {
  found.error.clear();
  found.are_bound_reached = found.bound_volumes_exist = true;
  found.are_unbound_found = found.is_room_enough = true;
  found.bindings.clear();
  found.provisions.clear();
  CheckBound(node, snapshot, found);
  if (found.error.empty() && HasUnbound()) CheckUnbound(node, snapshot, found);
}

void PodVolumes::CheckBound(const NodeInfo& node, const Snapshot& snapshot,
                            NodeVolumes& found) const {
  for (const auto& volume : bound_) {
    if (!volume) {
      found.bound_volumes_exist = false;
      return;
    }
    const Result<bool> reaches = volume->From(node, snapshot);
    if (!reaches) found.error = reaches.error().message();
    found.are_bound_reached = reaches.value_or(false);
    if (!found.are_bound_reached) return;
  }
}

void PodVolumes::CheckUnbound(const NodeInfo& node, const Snapshot& snapshot,
                              NodeVolumes& found) const {
  for (const UnboundClaim& claim : provisioned_) {
    if (*claim.selected_node() == node.name.text()) continue;
    found.are_unbound_found = false;
    return;
  }
  std::vector<const IndexedVolume*> taken;
  std::vector<const UnboundClaim*> without;
  for (const UnboundClaim& claim : unbound_) {
    if (!claim.error().empty()) {
      found.error = claim.error();
      return;
    }
    if (const IndexedVolume* volume = claim.FindVolume(node, taken)) {
      taken.push_back(volume);
      found.bindings.emplace_back(&claim, volume);
    } else {
      without.push_back(&claim);
    }
  }
  for (const UnboundClaim& claim : provisioned_) {
    if (!Provision(claim, node, snapshot, found)) return;
  }
  for (const UnboundClaim* claim : without) {
    if (!Provision(*claim, node, snapshot, found)) return;
  }
}

bool PodVolumes::Provision(const UnboundClaim& claim, const NodeInfo& node,
                           const Snapshot& snapshot, NodeVolumes& found) {
  std::shared_ptr<const api::CsiStorageCapacity> capacity;
  found.are_unbound_found = claim.IsProvisionable(node);
  if (!found.are_unbound_found) return false;
  found.is_room_enough = claim.HasRoom(node, snapshot, capacity);
  if (!found.is_room_enough) return false;
  found.provisions.emplace_back(&claim, std::move(capacity));
  return true;
}

std::string PodVolumes::Key() const {
  KeyText text;
  text.AddCount(bound_);
  for (const auto& volume : bound_) {
    text.Add(volume.has_value());
    if (volume) volume->AddTo(text);
  }
  for (const auto* claims : {&provisioned_, &unbound_}) {
    text.AddCount(*claims);
    for (const UnboundClaim& claim : *claims) claim.AddTo(text);
  }
  return text.Take();
}

Versions PodVolumes::VersionsOf(const Snapshot& snapshot) const {
  const VolumeStore& store = snapshot.Volumes();
  Versions versions;
  for (const auto* claims : {&provisioned_, &unbound_}) {
    for (const UnboundClaim& claim : *claims) {
      versions.push_back(store.Volumes().VersionOf(claim.storage_class()));
      versions.push_back(store.Capacities().VersionOf(claim.storage_class()));
    }
  }
  return versions;
}

}  // namespace berth::scheduler
