// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "api/persistent_volume.h"

// What the scheduler, the controllers of volumes and provisioners tell each other by annotations.
// Source: component-helpers storage/volume/pv_helpers.go.
namespace berth::api {

// Of a claim: the controllers are through with it.
inline constexpr std::string_view kBindCompleted = "pv.kubernetes.io/bind-completed";
// Of a volume: its claim was chosen for it, by no user.
inline constexpr std::string_view kBoundByController = "pv.kubernetes.io/bound-by-controller";
// Of a claim: the node where its volume is to be reached.
inline constexpr std::string_view kSelectedNode = "volume.kubernetes.io/selected-node";

// IsFullyBound says that a claim has its volume for good.
bool IsFullyBound(const PersistentVolumeClaim& claim);
// NamesClaim says that a volume is bound, or promised, to that claim. One that was promised by a user
// may lack the UID.
bool NamesClaim(const PersistentVolume& volume, const PersistentVolumeClaim& claim);
// SelectedNodeOf is the node that was chosen for a claim, or null.
const std::string* SelectedNodeOf(const PersistentVolumeClaim& claim);

}  // namespace berth::api
