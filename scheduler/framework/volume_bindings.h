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

// VolumeDecision is what is to become, on one node, of a pod's claims that have no volume yet.
struct VolumeDecision {
  // Binding gives a claim a volume that is there.
  struct Binding {
    std::shared_ptr<const api::PersistentVolume> volume;
    std::shared_ptr<const api::PersistentVolumeClaim> claim;
  };
  // Provision has a volume made for a claim, where the node can reach it.
  struct Provision {
    std::shared_ptr<const api::PersistentVolumeClaim> claim;
    std::shared_ptr<const api::CsiStorageCapacity> capacity;  // null: the driver reports none
  };
  std::vector<Binding> bindings;
  std::vector<Provision> provisions;
};

// VolumeBindings carries such decisions out. What it does for a pod is known by the pod's UID. Owned
// by the scheduling thread.
class VolumeBindings {
 public:
  using Done = std::function<void(Result<void>)>;
  virtual ~VolumeBindings() = default;

  // Assume makes later cycles see the decision as done. An error leaves nothing assumed. Requires:
  // nothing is assumed for the pod.
  virtual Result<void> Assume(const PodInfo& pod, const NodeRef& node,
                              const VolumeDecision& decision) = 0;
  // Restore takes back what is assumed and was not written; nothing for a pod it knows nothing of.
  virtual void Restore(const std::string& uid) = 0;
  // Bind writes what was assumed and waits until all claims are bound, for at most `timeout` after
  // the last write. It answers once, with an error when it was `canceled`. Requires: Assume.
  virtual void Bind(const std::string& uid, std::chrono::seconds timeout,
                    const std::stop_token& canceled, Done done) = 0;
};

}  // namespace berth::scheduler
