// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "crds/plugin_catalogue.h"

namespace berth::operator_ {

// GeneratedFile is one file of the repository that code writes.
struct GeneratedFile {
  std::string path;  // below the repository's root
  std::string text;
};

// GeneratedFiles gives them all: the CustomResourceDefinition, and the manifests of an installation
// that runs `image`. Pure.
std::vector<GeneratedFile> GeneratedFiles(const crds::PluginCatalogueView& catalogue,
                                          const std::string& image);

}  // namespace berth::operator_
