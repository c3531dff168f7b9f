// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "controllers/plugin_catalogue.h"

namespace berth::operator_ {

// GeneratedFile is one file of the repository that code writes.
struct GeneratedFile {
  std::string path;  // below the repository's root
  std::string text;
};

// Installed is what an installation runs.
struct Installed {
  std::string image;
  std::string
      architecture;  // that the image is made for, as nodes' label kubernetes.io/arch has it
};

// GeneratedFiles gives them all: the CustomResourceDefinition, the manifests of an installation, and
// the reference of the plugins. Pure: what they are does not depend on the machine that writes them.
std::vector<GeneratedFile> GeneratedFiles(const controllers::PluginCatalogue& catalogue,
                                          const Installed& installed);

}  // namespace berth::operator_
