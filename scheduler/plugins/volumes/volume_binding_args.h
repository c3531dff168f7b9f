// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "api/field_error.h"
#include "scheduler/plugins/resource_scoring.h"

namespace berth::scheduler {

// VolumeBindingArgs are the arguments of VolumeBinding: upstream's, and `storageCapacityScoring` in
// place of the feature gate of that name. Source: k8s.io/kube-scheduler
// config/v1/types_pluginargs.go, VolumeBindingArgs; kube-scheduler
// pkg/scheduler/apis/config/validation/validation_pluginargs.go,
// ValidateVolumeBindingArgsWithOptions.
struct VolumeBindingArgs {
  int64_t bind_timeout_seconds = 600;
  bool storage_capacity_scoring = true;
  std::optional<std::vector<UtilizationShapePoint>> shape;

  static auto Fields() {
    return json::Object(
        json::Field("bindTimeoutSeconds", &VolumeBindingArgs::bind_timeout_seconds)
            .Min(0)
            .Default("600")
            .Doc("Timeout in seconds for binding or provisioning the pod's volumes. After it the "
                 "pod is retried."),
        json::Field("storageCapacityScoring", &VolumeBindingArgs::storage_capacity_scoring)
            .Default("true")
            .Doc("Whether to score nodes by the utilization of their storage. In kube-scheduler "
                 "this is the feature gate StorageCapacityScoring, on by default."),
        json::Field("shape", &VolumeBindingArgs::shape)
            .Doc("Points of the scoring function, in increasing order of utilization. Without "
                 "points: score 10 at utilization 0, score 0 at 100. Requires "
                 "storageCapacityScoring."));
  }

  std::vector<api::FieldError> Validate() const;
  // Returns the shape, or its default; nullopt if nodes are not scored.
  std::optional<std::vector<UtilizationShapePoint>> EffectiveShape() const;
};

}  // namespace berth::scheduler
