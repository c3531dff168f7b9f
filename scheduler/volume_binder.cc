// SPDX-License-Identifier: Apache-2.0
#include "scheduler/volume_binder.h"

#include <algorithm>
#include <iterator>

#include "api/volume_annotations.h"
#include "base/check.h"
#include "scheduler/model/volumes/volume_reach.h"

namespace berth::scheduler {
namespace {

using api::PersistentVolume;
using api::PersistentVolumeClaim;

// Returns the volume with the claim in spec.claimRef. Source: component-helpers
// storage/volume/pv_helpers.go, GetBindVolumeToClaim.
std::shared_ptr<const PersistentVolume> BoundTo(
    const std::shared_ptr<const PersistentVolume>& volume, const PersistentVolumeClaim& claim) {
  const auto& now = volume->spec.claim_ref;
  const bool is_named = api::NamesClaim(*volume, claim);
  if (is_named && now->uid == claim.metadata.uid) return volume;
  auto bound = std::make_shared<PersistentVolume>(*volume);
  bound->spec.claim_ref = api::ObjectReference{.api_version = "v1",
                                               .kind = "PersistentVolumeClaim",
                                               .namespace_ = claim.metadata.namespace_,
                                               .name = claim.metadata.name,
                                               .uid = claim.metadata.uid,
                                               .resource_version = claim.metadata.resource_version,
                                               .field_path = {}};
  if (!is_named) {
    bound->metadata.annotations.emplace(std::string(api::kBoundByController), "yes");
  }
  return bound;
}

std::shared_ptr<const PersistentVolumeClaim> ProvisionedOn(
    const std::string& node, const std::shared_ptr<const PersistentVolumeClaim>& claim) {
  auto provisioned = std::make_shared<PersistentVolumeClaim>(*claim);
  provisioned->metadata.annotations[std::string(api::kSelectedNode)] = node;
  return provisioned;
}

// Returns the object as stored in the API server, if it still has this UID.
template <class T>
Result<const T*> Stored(const Cache& cache, const std::string& key, const std::string& uid,
                        const std::string& context) {
  const T* stored = cache.Volumes().Find<T>(key);
  if (stored != nullptr && stored->metadata.uid == uid) return stored;
  return Fail(Reason::kNotFound, context + AssumedObjects<T>::NotFound(key));
}

// Reports whether the stored object does not contain our write yet: it still has the version that
// `written` was based on.
template <class T>
bool IsOlder(const T& stored, const T& written, bool was_needed) {
  return was_needed && stored.metadata.resource_version == written.metadata.resource_version;
}

Result<void> TooLate() {
  return Fail(Reason::kTimeout, "binding volumes: context deadline exceeded");
}

}  // namespace

Result<void> VolumeBinder::Assume(const PodInfo& pod, const NodeRef& node,
                                  const VolumeDecision& decision) {
  owner_.AssertHeld();
  auto row = std::make_shared<Row>();
  row->uid = pod.uid();
  row->pod = pod.name();
  row->node = node;
  for (const auto& [volume, claim] : decision.bindings) {
    row->bindings.push_back(
        {{BoundTo(volume, *claim)}, api::KeyOf(claim->metadata), claim->metadata.uid});
  }
  for (const auto& provision : decision.provisions) {
    row->provisions.push_back({ProvisionedOn(node.name(), provision.claim)});
  }
  if (auto assumed = AssumeAll(*row); !assumed) return assumed;
  rows_[row->uid] = std::move(row);
  return {};
}

Result<void> VolumeBinder::AssumeAll(Row& row) {
  std::vector<std::function<void()>> undo;
  const auto assume = [&](auto& write) -> Result<void> {
    auto assumed = AssumeOne(write);
    if (assumed) {
      undo.push_back([this, &write] { RestoreOne(write); });
      return {};
    }
    for (const auto& restore : undo) restore();
    return assumed;
  };
  for (Binding& binding : row.bindings) BERTH_TRY_VOID(assume(binding.volume));
  for (auto& provision : row.provisions) BERTH_TRY_VOID(assume(provision));
  return {};
}

template <class T>
Result<void> VolumeBinder::AssumeOne(Write<T>& write) {
  const auto& stored = parts_.cache.Volumes().All<T>().Find(api::KeyOf(write.object->metadata));
  write.is_needed = stored == nullptr || *stored != *write.object;
  return write.is_needed ? parts_.cache.AssumeObject(write.object) : Result<void>();
}

template <class T>
void VolumeBinder::RestoreOne(const Write<T>& write) {
  if (write.is_needed && !write.is_done) parts_.cache.RestoreObject(*write.object);
}

void VolumeBinder::RestoreUnwritten(const Row& row) {
  for (const Binding& binding : row.bindings) RestoreOne(binding.volume);
  for (const auto& provision : row.provisions) RestoreOne(provision);
}

void VolumeBinder::Restore(const std::string& uid) {
  owner_.AssertHeld();
  const auto row = rows_.extract(uid);
  if (!row.empty()) RestoreUnwritten(*row.mapped());
}

void VolumeBinder::Bind(const std::string& uid, std::chrono::seconds timeout,
                        const std::stop_token& canceled, Done done) {
  owner_.AssertHeld();
  const auto found = rows_.find(uid);
  BERTH_CHECK(found != rows_.end(), "volumes must be assumed before they are bound");
  const RowPtr row = found->second;
  row->stage = Row::Stage::kWriting;
  row->timeout = timeout;
  row->canceled = canceled;
  row->done = std::move(done);
  WriteNext(row);
}

void VolumeBinder::WriteNext(const RowPtr& row) {
  if (row->canceled.stop_requested()) return Finish(row, Fail(Reason::kCanceled, "canceled"));
  for (Binding& binding : row->bindings) {
    Write<PersistentVolume>& write = binding.volume;
    if (!write.is_needed || write.is_done) continue;
    return parts_.api.BindVolume(*write.object, OnWritten(row, write));
  }
  for (auto& write : row->provisions) {
    if (!write.is_needed || write.is_done) continue;
    return parts_.api.SelectNode(*write.object, OnWritten(row, write));
  }
  Wait(row);
}

template <class T>
ApiPort::Done VolumeBinder::OnWritten(const RowPtr& row, Write<T>& write) {
  return [this, row, &write](const Result<void>& result) {
    if (!result) return Finish(row, result);
    write.is_done = true;
    WriteNext(row);
  };
}

void VolumeBinder::Wait(const RowPtr& row) {
  row->stage = Row::Stage::kWaiting;
  row->deadline = parts_.clock.Now() + row->timeout;
  deadlines_.emplace(row->deadline, row->uid);
  Watch(row, WatchKey<api::Node>(row->node.name()));
  for (const Binding& binding : row->bindings) {
    Watch(row, WatchKey<PersistentVolume>(binding.volume.object->metadata.name));
    Watch(row, WatchKey<PersistentVolumeClaim>(binding.claim));
  }
  for (const auto& write : row->provisions) {
    Watch(row, WatchKey<PersistentVolumeClaim>(api::KeyOf(write.object->metadata)));
  }
  row->on_cancel = std::make_unique<std::stop_callback<std::function<void()>>>(
      row->canceled, [this, weak = std::weak_ptr(row)] {
        if (const RowPtr canceled = weak.lock()) {
          Finish(canceled, Fail(Reason::kCanceled, "canceled"));
        }
      });
  Look(row);
}

void VolumeBinder::Watch(const RowPtr& row, std::string key) {
  if (std::ranges::find(row->watched, key) != row->watched.end()) return;
  watchers_.emplace(key, row);
  row->watched.push_back(std::move(key));
}

void VolumeBinder::Look(const std::string& watch_key) {
  owner_.AssertHeld();
  std::vector<RowPtr> concerned;
  const auto [first, last] = watchers_.equal_range(watch_key);
  for (auto row = first; row != last; ++row) concerned.push_back(row->second);
  for (const RowPtr& row : concerned) Look(row);
}

void VolumeBinder::OnPodGone(const std::string& uid) {
  owner_.AssertHeld();
  const auto found = rows_.find(uid);
  if (found == rows_.end()) return;
  const RowPtr row = found->second;
  if (row->stage == Row::Stage::kAssumed) return Restore(uid);
  row->is_pod_gone = true;
  Look(row);
}

void VolumeBinder::Look(const RowPtr& row) {
  if (row->stage != Row::Stage::kWaiting) return;
  const Result<bool> bound = IsBound(row);
  if (!bound) return Finish(row, Fail(bound.error().With("binding volumes")));
  if (*bound) Finish(row, {});
}

// Checks in upstream's order, because the first failure is the error.
Result<bool> VolumeBinder::IsBound(const RowPtr& row) {
  const std::string& name = row->node.name();
  const NodeInfo* node = row->node.In(parts_.cache);
  if (node == nullptr) {
    return Fail(Reason::kNotFound,
                "failed to get node \"" + name + "\": node \"" + name + "\" not found");
  }
  if (row->is_pod_gone) {
    return Fail(Reason::kNotFound,
                "pod does not exist any more: pod \"" + row->pod + "\" not found");
  }
  for (const Binding& binding : row->bindings) {
    BERTH_TRY(const bool bound, IsBound(binding, *node));
    if (!bound) return false;
  }
  for (const auto& write : row->provisions) {
    BERTH_TRY(const bool provisioned, IsProvisioned(row, write, *node));
    if (!provisioned) return false;
  }
  return true;
}

Result<bool> VolumeBinder::IsBound(const Binding& binding, const NodeInfo& node) const {
  const std::string kContext = "failed to check binding: ";
  const PersistentVolume& written = *binding.volume.object;
  const std::string& name = written.metadata.name;
  BERTH_TRY(const PersistentVolume* volume,
            Stored<PersistentVolume>(parts_.cache, name, written.metadata.uid, kContext));
  BERTH_TRY(
      const PersistentVolumeClaim* claim,
      Stored<PersistentVolumeClaim>(parts_.cache, binding.claim, binding.claim_uid, kContext));
  if (IsOlder(*volume, written, binding.volume.is_needed)) return false;
  BERTH_TRY_VOID(CheckReach(name, node, "failed to translate pv to csi: "));
  if (!volume->spec.claim_ref || volume->spec.claim_ref->uid.empty()) {
    return Fail(Reason::kConflict, "ClaimRef got reset for pv \"" + name + "\"");
  }
  if (!api::IsFullyBound(*claim)) return false;
  if (claim->spec.volume_name != name) {
    return Fail(Reason::kConflict, "PVC \"" + binding.claim + "\" was bound to pv \"" +
                                       claim->spec.volume_name + "\" instead of pv \"" + name +
                                       "\"");
  }
  return true;
}

Result<bool> VolumeBinder::IsProvisioned(const RowPtr& row,
                                         const Write<PersistentVolumeClaim>& write,
                                         const NodeInfo& node) {
  const api::ObjectMeta& written = write.object->metadata;
  const std::string key = api::KeyOf(written);
  BERTH_TRY(const PersistentVolumeClaim* claim,
            Stored<PersistentVolumeClaim>(parts_.cache, key, written.uid,
                                          "failed to check provisioning pvc: "));
  if (IsOlder(*claim, *write.object, write.is_needed)) return false;
  const api::StringMap& annotations = claim->metadata.annotations;
  if (annotations.empty()) {
    return Fail(Reason::kConflict,
                "selectedNode annotation reset for PVC \"" + written.name + "\"");
  }
  const auto selected = annotations.find(std::string(api::kSelectedNode));
  if (selected == annotations.end() || selected->second != row->node.name()) {
    return Fail(Reason::kConflict, "provisioning failed for PVC \"" + written.name + "\"");
  }
  const std::string& volume = claim->spec.volume_name;
  if (!volume.empty()) {
    if (parts_.cache.Volumes().Find<PersistentVolume>(volume) == nullptr) {
      Watch(row, WatchKey<PersistentVolume>(volume));
      return false;
    }
    BERTH_TRY_VOID(CheckReach(volume, node, ""));
  }
  return api::IsFullyBound(*claim);
}

Result<void> VolumeBinder::CheckReach(const std::string& volume, const NodeInfo& node,
                                      const std::string& context) const {
  const IndexedVolume& indexed = *parts_.cache.Volumes().Volumes().Find(volume);
  const auto reaches = VolumeReach(indexed, parts_.cache).From(node, parts_.cache);
  if (!reaches) return Fail(reaches.error().reason(), context + reaches.error().message());
  if (*reaches) return {};
  return Fail(Reason::kConflict, "pv \"" + volume + "\" node affinity doesn't match node \"" +
                                     node.name.text() + "\": no matching NodeSelectorTerms");
}

void VolumeBinder::Expire(SteadyTime now) {
  owner_.AssertHeld();
  while (!deadlines_.empty() && deadlines_.begin()->first <= now) {
    const RowPtr row = rows_.at(deadlines_.begin()->second);
    Finish(row, TooLate());
  }
}

std::optional<SteadyTime> VolumeBinder::NextDeadline() const {
  if (deadlines_.empty()) return std::nullopt;
  return deadlines_.begin()->first;
}

// Ends the row before it calls `done`, which may bind the pod or fail its binding.
void VolumeBinder::Finish(const RowPtr& row, Result<void> result) {
  deadlines_.erase({row->deadline, row->uid});
  for (const std::string& key : row->watched) {
    const auto [first, last] = watchers_.equal_range(key);
    for (auto watcher = first; watcher != last;) {
      watcher = watcher->second == row ? watchers_.erase(watcher) : std::next(watcher);
    }
  }
  row->watched.clear();
  row->on_cancel.reset();
  row->stage = Row::Stage::kAssumed;
  rows_.erase(row->uid);
  RestoreUnwritten(*row);
  const Done done = std::exchange(row->done, nullptr);
  done(std::move(result));
}

}  // namespace berth::scheduler
