// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "base/error.h"
#include "scheduler/model/key_text.h"
#include "scheduler/model/node_info.h"
#include "scheduler/model/snapshot.h"
#include "scheduler/model/volumes/volume_affinity.h"
#include "scheduler/model/volumes/volume_index.h"

namespace berth::scheduler {

// VolumeReach decides which nodes can reach a bound volume. It uses the volume's node affinity. On
// a node where a CSI driver replaces the in-tree plugin, it uses the affinity of the translated
// volume. Valid for one cycle. Source: kube-scheduler
// pkg/scheduler/framework/plugins/volumebinding/binder.go, tryTranslatePVToCSI.
class VolumeReach {
 public:
  VolumeReach(const IndexedVolume& volume, const Snapshot& snapshot);

  // Reports whether the node can reach the volume. Errors: the volume cannot be translated.
  Result<bool> From(const NodeInfo& node, const Snapshot& snapshot) const;

  // Adds the inputs of the results, except the node.
  void AddTo(KeyText& text) const;

 private:
  std::shared_ptr<const VolumeAffinity> affinity_;
  std::string plugin_;                                // in-tree plugin; empty: no migrated plugin
  std::optional<Result<VolumeAffinity>> translated_;  // if there is a plugin
};

}  // namespace berth::scheduler
