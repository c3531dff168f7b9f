// SPDX-License-Identifier: Apache-2.0
#include "scheduler/plugins/volumes/volume_binding.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "scheduler/plugins/prepared.h"

namespace berth::scheduler {
namespace {

// VolumesToBind in the cycle state marks that Reserve assumed bindings or provisions.
struct VolumesToBind {};

Status Prepare(CycleContext& cycle) {
  std::optional<PodVolumes> volumes;
  Status status = PodVolumes::Create(cycle, volumes);
  if (volumes) cycle.state.Write(std::move(*volumes));
  return status;
}

Verdict VerdictOf(const NodeVolumes& found, CycleState& state) {
  static const VerdictReason kNotReached =
      VerdictReason::Intern("node(s) didn't match PersistentVolume's node affinity");
  static const VerdictReason kNotFound =
      VerdictReason::Intern("node(s) didn't find available persistent volumes to bind");
  static const VerdictReason kNoRoom =
      VerdictReason::Intern("node(s) did not have enough free storage");
  static const VerdictReason kNotThere = VerdictReason::Intern(
      "node(s) unavailable due to one or more pvc(s) bound to non-existent pv(s)");
  if (found.fits()) return Verdict::Fits();
  if (!found.error.empty()) return Verdict::Failed(state.reasons().Add(found.error));
  std::vector<VerdictReason> reasons;
  if (!found.are_bound_reached) reasons.push_back(kNotReached);
  if (!found.are_unbound_found) reasons.push_back(kNotFound);
  if (!found.is_room_enough) reasons.push_back(kNoRoom);
  if (!found.bound_volumes_exist) reasons.push_back(kNotThere);
  return Verdict::UnschedulableAndUnresolvable(state.reasons().GroupOf(reasons));
}

// Storage is the requested and available storage of one class.
struct Storage {
  int64_t requested = 0;
  int64_t capacity = 0;
};

// Sums by class the volumes to bind or, if there are none, the volumes to provision. The capacity
// available for provisioning counts once, however many claims use it.
std::map<std::string, Storage> StorageOf(const NodeVolumes& found) {
  std::map<std::string, Storage> classes;
  for (const auto& [claim, volume] : found.bindings) {
    Storage& storage = classes[volume->object->spec.storage_class_name];
    storage.requested = SaturatingAdd(storage.requested, claim->size().Value());
    storage.capacity = SaturatingAdd(storage.capacity, volume->capacity.Value());
  }
  if (!found.bindings.empty()) return classes;
  for (const auto& [claim, capacity] : found.provisions) {
    if (capacity == nullptr) continue;
    Storage& storage = classes[claim->storage_class()];
    storage.requested = SaturatingAdd(storage.requested, claim->size().Value());
    storage.capacity = capacity->capacity.value_or(Quantity()).Value();
  }
  return classes;
}

int64_t UtilizationOf(const Storage& storage) {
  constexpr int64_t kFull = 100;
  __extension__ using Int128 = __int128;
  if (storage.capacity <= 0 || storage.requested > storage.capacity) return kFull;
  return static_cast<int64_t>(static_cast<Int128>(storage.requested) * kFull / storage.capacity);
}

}  // namespace

PluginDescriptor VolumeBinding::Descriptor() {
  using enum ObjectKind;
  constexpr ActionMask kNewOrChanged = action::kAdd | action::kUpdate;
  return Describe<VolumeBinding>({
      .name = "VolumeBinding",
      .summary = "Filters nodes by the reachability of the pod's volumes; binds or provisions "
                 "volumes for its claims before the pod is bound.",
      .depends_on = {Epoch::kNodeObject, Epoch::kNodeVolumes},
      .events = {{Resource::kStorageClass, kNewOrChanged,
                  "a StorageClass appeared or its allowed topologies changed"},
                 {Resource::kPersistentVolumeClaim, kNewOrChanged,
                  "a claim of the pod was created or bound"},
                 {Resource::kPersistentVolume, kNewOrChanged,
                  "a volume that a claim may bind to appeared"},
                 {Resource::kNode, action::kAdd | action::kUpdateNodeLabel,
                  "a node appeared, or its labels match a volume's node affinity now"},
                 {Resource::kCsiNode, kNewOrChanged,
                  "in-tree volumes of a node were migrated to a CSI driver"},
                 {Resource::kCsiDriver, action::kUpdate,
                  "a driver stopped publishing storage capacity"},
                 {Resource::kCsiStorageCapacity, kNewOrChanged, "a driver has more capacity"}},
      .reads = {kPersistentVolume, kPersistentVolumeClaim, kStorageClass, kCsiNode, kCsiDriver,
                kCsiStorageCapacity},
      .permissions = {{"volume-binding", "", "persistentvolumes", "patch"},
                      {"volume-binding", "", "persistentvolumeclaims", "patch"}},
      .example = R"(# For a driver that provisions slowly: wait up to half an hour.
pluginConfig:
- name: VolumeBinding
  args:
    bindTimeoutSeconds: 1800)",
  });
}

VolumeBinding::VolumeBinding(const Args& args) : bind_timeout_(args.bind_timeout_seconds) {
  if (const auto shape = args.EffectiveShape()) scoring_ = FunctionOf(*shape);
}

ResultKey VolumeBinding::KeyOf(const CycleContext& cycle) const {
  const Prepared<PodVolumes> volumes(cycle, Prepare);
  return ResultKey::Of(volumes.get() != nullptr ? volumes.get()->Key()
                                                : volumes.status().Message());
}

Versions VolumeBinding::VersionsOf(const CycleContext& cycle) const {
  const Prepared<PodVolumes> volumes(cycle, Prepare);
  return volumes.get() != nullptr ? volumes.get()->VersionsOf(cycle.snapshot) : Versions();
}

PreFilterResult VolumeBinding::PreFilter(CycleContext& cycle) const {
  return PreFilterResult::Of(Prepare(cycle));
}

Verdict VolumeBinding::Filter(const CycleContext& cycle, const NodeView& node) const {
  const Prepared<PodVolumes> volumes(cycle, Prepare);
  if (volumes.get() == nullptr) return volumes.VerdictWithout();
  NodeVolumes found;
  volumes.get()->CheckNode(node.info(), cycle.snapshot, found);
  return VerdictOf(found, cycle.state);
}

void VolumeBinding::FilterBatch(const CycleContext& cycle, std::span<const Slot> slots,
                                std::span<Verdict> out) const {
  const Prepared<PodVolumes> volumes(cycle, Prepare);
  if (volumes.get() == nullptr) {
    std::ranges::fill(out, volumes.VerdictWithout());
    return;
  }
  NodeVolumes found;  // reused for all nodes
  for (size_t i = 0; i < slots.size(); ++i) {
    volumes.get()->CheckNode(cycle.snapshot.At(slots[i]), cycle.snapshot, found);
    out[i] = VerdictOf(found, cycle.state);
  }
}

Status VolumeBinding::PreScore(CycleContext&, const FeasibleNodes&) const {
  return scoring_ ? Status::Success() : Status::Skip();
}

int64_t VolumeBinding::Score(const CycleContext& cycle, const NodeView& node) const {
  const Slot slot = node.slot();
  int64_t score = 0;
  ScoreBatch(cycle, {&slot, 1}, {&score, 1});
  return score;
}

void VolumeBinding::ScoreBatch(const CycleContext& cycle, std::span<const Slot> slots,
                               std::span<int64_t> out) const {
  std::ranges::fill(out, 0);
  if (!scoring_) return;
  const Prepared<PodVolumes> volumes(cycle, Prepare);
  if (volumes.get() == nullptr || !volumes.get()->HasUnbound()) return;
  NodeVolumes found;  // reused for all nodes
  for (size_t i = 0; i < slots.size(); ++i) {
    volumes.get()->CheckNode(cycle.snapshot.At(slots[i]), cycle.snapshot, found);
    out[i] = ScoreOf(found);
  }
}

int64_t VolumeBinding::ScoreOf(const NodeVolumes& found) const {
  const std::map<std::string, Storage> classes = StorageOf(found);
  if (!found.fits() || classes.empty()) return 0;
  int64_t sum = 0;
  for (const auto& [name, storage] : classes) sum += scoring_->At(UtilizationOf(storage));
  return static_cast<int64_t>(
      std::round(static_cast<double>(sum) / static_cast<double>(classes.size())));
}

// A node may fail here if Filter did not check it. Then nothing is bound, as upstream.
Status VolumeBinding::Reserve(CycleContext& cycle, const NodeRef& node) const {
  const auto* volumes = cycle.state.Read<PodVolumes>();
  if (volumes == nullptr || !volumes->HasUnbound()) return Status::Success();
  NodeVolumes found;
  volumes->CheckNode(*node.In(cycle.snapshot), cycle.snapshot, found);
  if (!found.fits()) return Status::Success();
  const auto assumed = cycle.volumes->Assume(cycle.pod, node, found.Decision());
  if (!assumed) return Status::Failed(assumed.error().message());
  cycle.state.Write(VolumesToBind());
  return Status::Success();
}

void VolumeBinding::Unreserve(CycleContext& cycle, const NodeRef&) const {
  if (cycle.state.Read<VolumesToBind>() != nullptr) cycle.volumes->Restore(cycle.pod.uid());
}

PreBindPreFlightResult VolumeBinding::PreBindPreFlight(CycleContext& cycle, const NodeRef&) const {
  const bool has_work = cycle.state.Read<VolumesToBind>() != nullptr;
  return {.status = has_work ? Status::Success() : Status::Skip(), .allow_parallel = true};
}

void VolumeBinding::PreBind(CycleContext& cycle, const NodeRef&, const std::stop_token& canceled,
                            StatusDone done) const {
  if (cycle.state.Read<VolumesToBind>() == nullptr) return done(Status::Success());
  cycle.volumes->Bind(cycle.pod.uid(), bind_timeout_, canceled,
                      [done = std::move(done)](const Result<void>& bound) {
                        done(bound ? Status::Success() : Status::Failed(bound.error().message()));
                      });
}

}  // namespace berth::scheduler
