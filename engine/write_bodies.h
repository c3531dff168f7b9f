// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "api/persistent_volume.h"
#include "scheduler/framework/ports.h"

// The JSON texts of the core's writes. Each contains the object's uid, so that it cannot hit
// another object of that name.
namespace berth::engine {

std::string BindingBody(const scheduler::PodRef& pod, const std::string& node);
std::string EvictionBody(const scheduler::PodRef& victim);
// Returns options with the pod's uid as a precondition of the deletion.
api::DeleteOptions OnlyThis(const scheduler::PodRef& pod);

// Return merge patches, with the version that the decision was based on as a precondition.
std::string VolumeBody(const api::PersistentVolume& assumed);
std::string ClaimBody(const api::PersistentVolumeClaim& assumed);

// StatusPatch is the change of a pod's or a PodGroup's status; absent parts do not change.
struct StatusPatch {
  struct Condition {
    std::string type;
    std::string text;  // JSON
  };
  std::optional<Condition> condition;
  std::optional<std::string> nominated_node_name;  // "" clears it

  static StatusPatch Of(const scheduler::PodStatusPatch& patch);
  static StatusPatch Of(const api::Condition& condition);

  // Takes the parts of a newer patch. Returns false without a change if both have conditions of
  // different types, because a patch holds one condition.
  bool Merge(const StatusPatch& newer);
};

// Returns a strategic merge patch.
std::string StatusPatchBody(const std::string& uid, const StatusPatch& patch);

}  // namespace berth::engine
