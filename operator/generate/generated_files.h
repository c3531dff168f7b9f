// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "controllers/plugin_catalogue.h"

namespace berth::operator_ {

// GeneratedFile is one generated file of the repository.
struct GeneratedFile {
  std::string path;  // relative to the repository's root
  std::string text;
};

// Installed is the software of an installation.
struct Installed {
  std::string image;
  std::string architecture;  // of the image, as in the node label kubernetes.io/arch
};

// Returns all generated files: the CustomResourceDefinition, the manifests of an installation, and
// the plugin reference. Pure: the result does not depend on the machine.
std::vector<GeneratedFile> GeneratedFiles(const controllers::PluginCatalogue& catalogue,
                                          const Installed& installed);

}  // namespace berth::operator_
