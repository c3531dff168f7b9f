// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "base/error.h"
#include "scheduler/cache/volumes/volume_affinity.h"
#include "scheduler/cache/volumes/volume_index.h"
#include "scheduler/model/key_text.h"
#include "scheduler/model/node_info.h"
#include "scheduler/model/snapshot.h"

namespace berth::scheduler {

// VolumeReach is from where a volume that is bound can be reached: by its node affinity, or by that of
// its translation on a node whose CSI driver took over from an in-tree plugin. Good for one cycle.
// Source: kube-scheduler pkg/scheduler/framework/plugins/volumebinding/binder.go,
// tryTranslatePVToCSI.
class VolumeReach {
 public:
  VolumeReach(const IndexedVolume& volume, const Snapshot& snapshot);

  // From says whether the node reaches it. Errors: the volume cannot be translated.
  Result<bool> From(const NodeInfo& node, const Snapshot& snapshot) const;

  // AddTo adds what the answers depend on beside the node.
  void AddTo(KeyText& text) const;

 private:
  std::shared_ptr<const VolumeAffinity> affinity_;
  std::string plugin_;                                // in-tree; empty: none that was taken over
  std::optional<Result<VolumeAffinity>> translated_;  // if there is a plugin
};

}  // namespace berth::scheduler
