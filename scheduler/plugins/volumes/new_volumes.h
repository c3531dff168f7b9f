// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <vector>

#include "scheduler/framework/interface.h"
#include "scheduler/model/key_text.h"
#include "scheduler/model/volumes/volume_store.h"

namespace berth::scheduler {

// NewVolumes holds the volumes that a pod would attach to its node, by driver. It checks that the
// node has the drivers that must be there, and compares the volumes with the attach limits of the
// node. Valid during one cycle. Source: kube-scheduler
// pkg/scheduler/framework/plugins/nodevolumelimits/csi.go, CSILimits.Filter.
class NewVolumes {
 public:
  explicit NewVolumes(const CycleContext& cycle);

  // Requires: `cycle` is the constructor's cycle.
  Verdict Check(const CycleContext& cycle, const NodeView& node) const;

  // Adds to a key all that Check reads of the pod: for each driver whether it must be there, the
  // number of volumes, and the handles of the volumes in use; or the error.
  void AddTo(KeyText& key) const;

 private:
  struct Volume {
    CsiSource source;
    const AttachedVolumes::Volume* used;  // in use by pods; null: not in use
  };
  // Presence is the nodes that must have the driver: those that it attaches the volumes of. It
  // attaches volumes with an in-tree source only to nodes with a CSINode.
  enum class Presence : uint8_t { kOptional, kWithCsiNode, kEverywhere };
  struct OfDriver {
    const AttachedVolumes::Driver* columns = nullptr;  // null: no volumes and no limits
    Presence presence = Presence::kOptional;
    std::vector<Volume> volumes;
  };
  class Change;

  void Add(const CycleContext& cycle, const CsiSource& source);
  // Returns the name of a driver that must be on the node and is not there, or null.
  const std::string* FindMissing(const VolumeStore& objects, const NodeView& node) const;
  bool HasRoom(Slot slot, const Change* change) const;

  Status anywhere_;  // a claim that is missing or made for another pod
  // The first of anywhere_ and an inline volume that cannot be counted. Volumes are counted only on
  // nodes with a CSINode.
  Status counting_;
  std::map<std::string, OfDriver> drivers_;
  bool need_presence_ = false;  // of a driver
};

}  // namespace berth::scheduler
