// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace berth::sandbox {

// The files of the repository that the demo applies, embedded byte for byte, so that the program
// needs no checkout.
struct EmbeddedFile {
  std::string_view path;  // in the repository
  std::string_view text;
};

extern const EmbeddedFile kInstallManifest;  // deploy/install.yaml
extern const EmbeddedFile kMinimalProfile;   // samples/01-minimal
extern const EmbeddedFile kMinimalPod;
extern const EmbeddedFile kBinPackingProfile;  // samples/02-bin-packing
extern const EmbeddedFile kBinPackingPod;

}  // namespace berth::sandbox
