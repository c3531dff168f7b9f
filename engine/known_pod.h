// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "api/pod.h"

namespace berth::engine {

// KnownPod is the data that the informer stores for a pod. The core has all needed data of a pod
// with a node (scheduler/model/pod_info.h), and there are very many, so only the identity is stored
// here. A pending pod is stored as a whole, for profiles that are added later.
struct KnownPod {
  std::string uid;
  std::string resource_version;
  std::shared_ptr<const api::Pod> waiting;  // null: the pod has a node

  static KnownPod Of(const std::shared_ptr<const api::Pod>& pod) {
    return {pod->metadata.uid, pod->metadata.resource_version,
            pod->spec.node_name.empty() ? pod : nullptr};
  }
};

}  // namespace berth::engine
