// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "api/persistent_volume.h"
#include "api/storage.h"
#include "base/error.h"
#include "scheduler/model/node_ref.h"
#include "scheduler/model/pod_info.h"

namespace berth::scheduler {

// VolumeDecision is the plan for a pod's unbound claims on one node.
struct VolumeDecision {
  // Binding binds a claim to an existing volume.
  struct Binding {
    std::shared_ptr<const api::PersistentVolume> volume;
    std::shared_ptr<const api::PersistentVolumeClaim> claim;
  };
  // Provision lets the provisioner create a volume for a claim, accessible from the node.
  struct Provision {
    std::shared_ptr<const api::PersistentVolumeClaim> claim;
    std::shared_ptr<const api::CsiStorageCapacity> capacity;  // null: the driver reports none
  };
  std::vector<Binding> bindings;
  std::vector<Provision> provisions;
};

// VolumeBindings executes such decisions, by pod UID. Owned by the scheduling thread.
class VolumeBindings {
 public:
  using Done = std::function<void(Result<void>)>;
  virtual ~VolumeBindings() = default;

  // Applies the decision to the cache that later cycles read, before it is written. Assumes nothing
  // if it returns an error. Requires: nothing is assumed for the pod.
  virtual Result<void> Assume(const PodInfo& pod, const NodeRef& node,
                              const VolumeDecision& decision) = 0;
  // Reverts the assumed changes that were not written; does nothing for an unknown pod.
  virtual void Restore(const std::string& uid) = 0;
  // Writes the assumed changes and waits until all claims are bound, for at most `timeout` after
  // the last write. Calls `done` once, with an error if it was `canceled`. Requires: Assume.
  virtual void Bind(const std::string& uid, std::chrono::seconds timeout,
                    const std::stop_token& canceled, Done done) = 0;
};

}  // namespace berth::scheduler
