// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "api/pod.h"

namespace berth::scheduler {

// QosClass is Kubernetes' quality of service, the best first.
enum class QosClass : uint8_t { kGuaranteed, kBurstable, kBestEffort };

// QosClassOf works the class out as the API server does when it fills status.qosClass, which never
// changes afterwards. Amounts of cpu and memory above zero count, of containers and init containers
// (sidecars among them); where the pod has spec.resources, these alone. None: BestEffort. Limits of
// both for each container, and in total each request equal to its limit and no limit without its
// request: Guaranteed. Anything else: Burstable.
QosClass QosClassOf(const api::Pod& pod);

}  // namespace berth::scheduler
