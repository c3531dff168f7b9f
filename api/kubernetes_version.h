// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <optional>
#include <string>
#include <string_view>

namespace berth::api {

// KubernetesVersion is a release of Kubernetes without its patch, compared by number.
struct KubernetesVersion {
  unsigned major = 0;
  unsigned minor = 0;

  std::string ToString() const;  // "1.36"
  auto operator<=>(const KubernetesVersion&) const = default;
};

// Berth supports the releases from the oldest to the newest, which `make test-versions` tests.
// The oldest is the first with ValidatingAdmissionPolicy in v1, which deploy/install.yaml holds.
// Everything else that Berth uses is older: rules of CustomResourceDefinitions 1.29,
// unhealthyPodEvictionPolicy 1.27; lists are read in pages where they cannot be streamed.
// Source: api admissionregistration/v1/zz_generated.prerelease-lifecycle.go.
inline constexpr KubernetesVersion kOldestKubernetes{1, 30};
inline constexpr KubernetesVersion kNewestKubernetes{1, 37};

// The release whose kube-scheduler Berth's scheduling core follows. Commands that need no cluster
// assume it.
inline constexpr KubernetesVersion kFollowedKubernetes{1, 36};

// ParseKubernetesVersion reads the beginning of a server's or an image's version: "v1.36.3",
// "v1.31.0+rke2r1", "1.29+". nullopt: no version.
std::optional<KubernetesVersion> ParseKubernetesVersion(std::string_view text);

}  // namespace berth::api
