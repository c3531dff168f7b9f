// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <vector>

#include "scheduler/cache/volumes/volume_store.h"
#include "scheduler/framework/interface.h"
#include "scheduler/model/key_text.h"

namespace berth::scheduler {

// NewVolumes is the volumes that a pod would attach to its node, by driver, and says which nodes have
// room for them. Valid during one cycle. Source: kube-scheduler
// pkg/scheduler/framework/plugins/nodevolumelimits/csi.go, CSILimits.Filter.
class NewVolumes {
 public:
  explicit NewVolumes(const CycleContext& cycle);

  // Requires: the cycle that it was made for.
  Verdict Check(const CycleContext& cycle, const NodeView& node) const;

  // AddTo adds all that Check reads of the pod: how many volumes of each driver no pod uses yet, and
  // the names of the others; or what is wrong with them.
  void AddTo(KeyText& key) const;

 private:
  struct Volume {
    CsiSource source;
    const AttachedVolumes::Volume* used;  // by pods, on some nodes; null: by none
  };
  struct OfDriver {
    const AttachedVolumes::Driver* columns = nullptr;  // null: none of it is attached or limited
    std::vector<Volume> volumes;
  };
  class Change;

  bool HasRoom(Slot slot, const Change* change) const;

  Status anywhere_;  // a claim that is missing, or another pod's
  // That, or an inline volume that cannot be counted, whichever comes first; counting is done on nodes
  // with a CSINode alone.
  Status counting_;
  std::map<std::string, OfDriver> drivers_;
};

}  // namespace berth::scheduler
