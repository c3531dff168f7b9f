// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <concepts>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <stop_token>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/thread_owner.h"
#include "scheduler/cache/cache.h"
#include "scheduler/framework/ports.h"
#include "scheduler/framework/volume_bindings.h"

namespace berth::scheduler {

// VolumeBinder assumes and binds volumes, with a row for each pod. It neither blocks nor polls:
//
//     Assume ──► assumed ── Bind ──► writing ── last answer ──► waiting ──► all bound: done
//                   │                   │                          │
//                   └──── Restore       └── failed, canceled ──────┴── failed, canceled, too late
//
// Volumes are written before claims, one at a time. A waiting row is checked when one of its
// objects changes (volume, claim, node, CSINode), when its pod is deleted, and at its deadline;
// meanwhile it costs nothing. Objects that were assumed but not written are restored when a write
// fails, or by Restore. Written objects stay assumed until the API server shows them, so that no
// other pod takes them.
//
// If a claim was bound to another volume than the chosen one, the pod fails. Upstream binds the
// pod, wherever that volume can be reached. Source: kube-scheduler
// pkg/scheduler/framework/plugins/volumebinding/binder.go, AssumePodVolumes, BindPodVolumes and
// checkBindings.
//
// Invariants: a row has watchers exactly while it waits, because only Wait and Finish change both.
// Each unwritten assumption in the cache belongs to a row. Owned by the scheduling thread.
class VolumeBinder final : public VolumeBindings {
 public:
  // Dependencies; all must outlive the binder.
  struct Parts {
    const Clock& clock;
    ApiPort& api;
    Cache& cache;
  };
  explicit VolumeBinder(const Parts& parts) : parts_(parts) {}

  Result<void> Assume(const PodInfo& pod, const NodeRef& node,
                      const VolumeDecision& decision) override;
  void Restore(const std::string& uid) override;
  void Bind(const std::string& uid, std::chrono::seconds timeout, const std::stop_token& canceled,
            Done done) override;

  // Checks the rows that wait for this object. Requires: the change is already applied to the
  // cache; no cycle is running, because a row may end, which continues or fails the binding of its
  // pod.
  template <class T>
  void OnChange(const T& object) {
    if constexpr (std::same_as<T, api::PersistentVolume> ||
                  std::same_as<T, api::PersistentVolumeClaim> || std::same_as<T, api::CsiNode> ||
                  std::same_as<T, api::Node>) {
      if (!watchers_.empty()) Look(WatchKey<T>(api::KeyOf(object.metadata)));
    }
  }
  // Called when a pod has been deleted.
  void OnPodGone(const std::string& uid);

  // Ends the rows with expired deadlines. NextDeadline returns the next one.
  void Expire(SteadyTime now);
  std::optional<SteadyTime> NextDeadline() const;

  size_t size() const { return rows_.size(); }
  size_t watches() const { return watchers_.size(); }

 private:
  // Write is an object in the state to write.
  template <class T>
  struct Write {
    std::shared_ptr<const T> object;
    bool is_needed = true;  // false: already in that state
    bool is_done = false;
  };
  struct Binding {
    Write<api::PersistentVolume> volume;
    std::string claim, claim_uid;
  };
  struct Row {
    std::string uid, pod;  // the pod's name
    NodeRef node;
    std::vector<Binding> bindings;
    std::vector<Write<api::PersistentVolumeClaim>> provisions;

    // Set by Bind:
    enum class Stage : uint8_t { kAssumed, kWriting, kWaiting } stage = Stage::kAssumed;
    std::chrono::seconds timeout{};
    SteadyTime deadline{};
    bool is_pod_gone = false;
    std::stop_token canceled;
    std::unique_ptr<std::stop_callback<std::function<void()>>> on_cancel;
    Done done;
    std::vector<std::string> watched;
  };
  using RowPtr = std::shared_ptr<Row>;

  // The CSINode has the node's name and shares its key.
  template <class T>
  static std::string WatchKey(const std::string& key) {
    if constexpr (std::same_as<T, api::PersistentVolume>) return "volume " + key;
    if constexpr (std::same_as<T, api::PersistentVolumeClaim>) return "claim " + key;
    return "node " + key;
  }

  Result<void> AssumeAll(Row& row);
  template <class T>
  Result<void> AssumeOne(Write<T>& write);
  template <class T>
  void RestoreOne(const Write<T>& write);
  void RestoreUnwritten(const Row& row);

  void WriteNext(const RowPtr& row);
  template <class T>
  ApiPort::Done OnWritten(const RowPtr& row, Write<T>& write);
  void Wait(const RowPtr& row);
  void Watch(const RowPtr& row, std::string key);
  void Look(const std::string& watch_key);
  void Look(const RowPtr& row);
  Result<bool> IsBound(const RowPtr& row);
  Result<bool> IsBound(const Binding& binding, const NodeInfo& node) const;
  Result<bool> IsProvisioned(const RowPtr& row, const Write<api::PersistentVolumeClaim>& write,
                             const NodeInfo& node);
  Result<void> CheckReach(const std::string& volume, const NodeInfo& node,
                          const std::string& context) const;
  void Finish(const RowPtr& row, Result<void> result);

  ThreadOwner owner_;
  const Parts parts_;
  std::unordered_map<std::string, RowPtr> rows_;  // by the pod's UID
  std::unordered_multimap<std::string, RowPtr> watchers_;
  std::set<std::pair<SteadyTime, std::string>> deadlines_;  // of waiting rows, with the UID
};

}  // namespace berth::scheduler
