// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "api/apiextensions.h"
#include "api/meta.h"

namespace berth::crds {

// Names of the file it is written to, below the repository's root.
inline constexpr std::string_view kManifestPath = "crds/manifests/berth.dev_schedulerprofiles.yaml";

// SchedulerProfileDefinition is the CustomResourceDefinition, made from the type's description.
api::CustomResourceDefinition SchedulerProfileDefinition();

// KindText is what a definition says of a kind beside its resource and its type.
struct KindText {
  std::string description;
  std::vector<std::string> short_names = {};
  std::vector<std::string> categories = {};
  std::vector<api::CustomResourceColumnDefinition> columns = {};
};

// DefinitionOf is the CustomResourceDefinition of a kind of one version, with a status of its own.
api::CustomResourceDefinition DefinitionOf(const api::ResourceInfo& resource,
                                           const json::Type& type, KindText text);

// InstalledMeta is the metadata of an object that an installation brings along, with the labels
// such objects carry.
api::ObjectMeta InstalledMeta(std::string_view name, std::string_view component);

}  // namespace berth::crds
