// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "api/persistent_volume.h"

// Annotations used between the scheduler, the volume controllers and provisioners. Source:
// component-helpers storage/volume/pv_helpers.go.
namespace berth::api {

// On a claim: the controllers have finished binding it.
inline constexpr std::string_view kBindCompleted = "pv.kubernetes.io/bind-completed";
// On a volume: a controller, not a user, chose its claim.
inline constexpr std::string_view kBoundByController = "pv.kubernetes.io/bound-by-controller";
// On a claim: the node where its volume must be accessible.
inline constexpr std::string_view kSelectedNode = "volume.kubernetes.io/selected-node";

// Reports whether a claim is permanently bound to its volume.
bool IsFullyBound(const PersistentVolumeClaim& claim);
// Reports whether a volume is bound to or reserved for that claim. A reservation by a user may lack
// the UID.
bool NamesClaim(const PersistentVolume& volume, const PersistentVolumeClaim& claim);
// Returns the node selected for a claim, or null.
const std::string* SelectedNodeOf(const PersistentVolumeClaim& claim);

}  // namespace berth::api
