// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "api/pod.h"

namespace berth::scheduler {

// QosClass is Kubernetes' quality of service class, best first.
enum class QosClass : uint8_t { kGuaranteed, kBurstable, kBestEffort };

// Computes the class as the API server does for status.qosClass, which never changes afterwards.
// Only cpu and memory amounts above zero count, of containers and init containers (including
// sidecars), or of spec.resources alone if it is set. BestEffort: there are none. Guaranteed: every
// container has limits for both, and each total request equals its total limit. Burstable: all
// other pods.
QosClass QosClassOf(const api::Pod& pod);

}  // namespace berth::scheduler
