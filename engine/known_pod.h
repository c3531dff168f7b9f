// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "api/pod.h"

namespace berth::engine {

// KnownPod is what the informer keeps of a pod. Of one that has a node the core keeps all that
// anybody asks (scheduler/model/pod_info.h), and there are very many of them: here it is only
// told apart from others. The object of one that waits is at hand for a profile that is yet to
// come.
struct KnownPod {
  std::string uid;
  std::string resource_version;
  std::shared_ptr<const api::Pod> waiting;  // null: it has a node

  static KnownPod Of(const std::shared_ptr<const api::Pod>& pod) {
    return {pod->metadata.uid, pod->metadata.resource_version,
            pod->spec.node_name.empty() ? pod : nullptr};
  }
};

}  // namespace berth::engine
