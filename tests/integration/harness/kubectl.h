// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

#include "api/kubernetes_version.h"
#include "tests/integration/harness/skip.h"

// The kubectl for tests: $BERTH_KUBECTL; else the pinned one of $BERTH_CONTROLPLANE; else the one
// on PATH.
namespace berth::integration {

// The oldest supported kubectl. Tests compare only output that is the same in all versions since
// then.
inline constexpr api::KubernetesVersion kOldestKubectl{1, 28};

// Returns the path of kubectl. Requires: KubectlMissing() is empty.
std::filesystem::path KubectlBinary();

// Returns why tests that need kubectl cannot run, or an empty text.
const std::string& KubectlMissing();

// Returns why tests cannot use a kubectl with this output of `kubectl version --client -o json`, or
// an empty text.
std::string WhyUnusable(const std::string& version_output);

// NEEDS_KUBECTL skips the rest of a test if kubectl is missing.
#define NEEDS_KUBECTL()                                                            \
  if (const std::string& why = berth::integration::KubectlMissing(); !why.empty()) \
  SKIP_EXCEPT_IN_CI(why)

}  // namespace berth::integration
