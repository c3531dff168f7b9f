// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "api/apiextensions.h"
#include "api/meta.h"

namespace berth::crds {

// Path of the generated file, relative to the repository's root.
inline constexpr std::string_view kManifestPath = "crds/manifests/berth.dev_schedulerprofiles.yaml";

// Returns the CustomResourceDefinition, generated from the type's description.
api::CustomResourceDefinition SchedulerProfileDefinition();

// KindText is the part of a definition that its resource and type do not provide.
struct KindText {
  std::string description;
  std::vector<std::string> short_names = {};
  std::vector<std::string> categories = {};
  std::vector<api::CustomResourceColumnDefinition> columns = {};
};

// Returns the CustomResourceDefinition of a kind with one version and a status subresource.
api::CustomResourceDefinition DefinitionOf(const api::ResourceInfo& resource,
                                           const json::Type& type, KindText text);

// Returns the metadata of an object of the installation, with the common labels.
api::ObjectMeta InstalledMeta(std::string_view name, std::string_view component);

}  // namespace berth::crds
