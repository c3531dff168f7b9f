// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "api/pod.h"

namespace berth::scheduler {

// QosClass is Kubernetes' quality of service class, best first.
enum class QosClass : uint8_t { kGuaranteed, kBurstable, kBestEffort };

// Computes the class as the API server does for status.qosClass, which never changes afterwards.
// Only cpu and memory count, of containers and init containers (including sidecars), or of
// spec.resources alone if it has a resource of the pod level. BestEffort: there are none.
// Guaranteed: every container has equal requests and limits of both. Burstable: all other pods.
// Source: kubernetes pkg/apis/core/v1/helper/qos/qos.go, ComputePodQOS.
QosClass QosClassOf(const api::Pod& pod);

}  // namespace berth::scheduler
