// SPDX-License-Identifier: Apache-2.0
#include "scheduler/plugins/volumes/volume_binding_args.h"

#include "base/json/json.h"

namespace berth::scheduler {

using api::FieldError;

std::vector<FieldError> VolumeBindingArgs::Validate() const {
  std::vector<FieldError> errors;
  if (bind_timeout_seconds < 0) {
    errors.push_back(
        FieldError::Invalid("bindTimeoutSeconds", bind_timeout_seconds,
                            "invalid BindTimeoutSeconds, should not be a negative value"));
  }
  if (!shape) return errors;
  if (storage_capacity_scoring) {
    if (!shape->empty()) CheckShape(*shape, "shape", errors);
  } else {
    errors.push_back(FieldError::InvalidJson(
        "shape", json::Encode(*shape),
        "unexpected field `shape`, remove it or turn on the feature gate StorageCapacityScoring"));
  }
  return errors;
}

std::optional<std::vector<UtilizationShapePoint>> VolumeBindingArgs::EffectiveShape() const {
  if (!storage_capacity_scoring) return std::nullopt;
  if (!shape || shape->empty()) return std::vector<UtilizationShapePoint>{{0, 10}, {100, 0}};
  return shape;
}

}  // namespace berth::scheduler
