// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "api/apiextensions.h"
#include "api/meta.h"

namespace berth::crds {

// Names of the file it is written to, below the repository's root.
inline constexpr std::string_view kManifestPath = "crds/manifests/berth.dev_schedulerprofiles.yaml";

// SchedulerProfileDefinition is the CustomResourceDefinition, made from the type's description.
api::CustomResourceDefinition SchedulerProfileDefinition();

// InstalledMeta is the metadata of an object that an installation brings along, with the labels
// such objects carry.
api::ObjectMeta InstalledMeta(std::string_view name, std::string_view component);

}  // namespace berth::crds
