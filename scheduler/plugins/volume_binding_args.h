// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "api/field_error.h"
#include "scheduler/plugins/resource_scoring.h"

namespace berth::scheduler {

// VolumeBindingArgs are upstream's, and `storageCapacityScoring` in the place of the feature gate of
// that name. Source: k8s.io/kube-scheduler config/v1/types_pluginargs.go, VolumeBindingArgs;
// kube-scheduler pkg/scheduler/apis/config/validation/validation_pluginargs.go,
// ValidateVolumeBindingArgsWithOptions.
struct VolumeBindingArgs {
  int64_t bind_timeout_seconds = 600;
  bool storage_capacity_scoring = false;
  std::optional<std::vector<UtilizationShapePoint>> shape;

  static auto Fields() {
    return json::Object(
        json::Field("bindTimeoutSeconds", &VolumeBindingArgs::bind_timeout_seconds)
            .Min(0)
            .Default("600")
            .Doc("How long the volumes of a pod may take to be bound or made before it is tried "
                 "again."),
        json::Field("storageCapacityScoring", &VolumeBindingArgs::storage_capacity_scoring)
            .Default("false")
            .Doc("Whether nodes score by how full their storage would be; kube-scheduler has the "
                 "feature gate StorageCapacityScoring for it, off by default."),
        json::Field("shape", &VolumeBindingArgs::shape)
            .Doc("Points of the scoring function, by increasing utilization; by default 10 at 0 "
                 "and 0 at 100. Only with storageCapacityScoring."));
  }

  std::vector<api::FieldError> Validate() const;
  // EffectiveShape is the shape that scores, with its default; nothing: nothing scores.
  std::optional<std::vector<UtilizationShapePoint>> EffectiveShape() const;
};

}  // namespace berth::scheduler
