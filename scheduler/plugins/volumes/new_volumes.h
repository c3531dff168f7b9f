// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <vector>

#include "scheduler/framework/interface.h"
#include "scheduler/model/key_text.h"
#include "scheduler/model/volumes/volume_store.h"

namespace berth::scheduler {

// NewVolumes holds the volumes that a pod would attach to its node, by driver, and checks them
// against the attach limits of nodes. Valid during one cycle. Source: kube-scheduler
// pkg/scheduler/framework/plugins/nodevolumelimits/csi.go, CSILimits.Filter.
class NewVolumes {
 public:
  explicit NewVolumes(const CycleContext& cycle);

  // Requires: `cycle` is the constructor's cycle.
  Verdict Check(const CycleContext& cycle, const NodeView& node) const;

  // Adds to a key all that Check reads of the pod: for each driver the number of volumes and the
  // handles of the volumes in use; or the error.
  void AddTo(KeyText& key) const;

 private:
  struct Volume {
    CsiSource source;
    const AttachedVolumes::Volume* used;  // in use by pods; null: not in use
  };
  struct OfDriver {
    const AttachedVolumes::Driver* columns = nullptr;  // null: no volumes and no limits
    std::vector<Volume> volumes;
  };
  class Change;

  bool HasRoom(Slot slot, const Change* change) const;

  Status anywhere_;  // a claim that is missing or made for another pod
  // The first of anywhere_ and an inline volume that cannot be counted. Volumes are counted only on
  // nodes with a CSINode.
  Status counting_;
  std::map<std::string, OfDriver> drivers_;
};

}  // namespace berth::scheduler
