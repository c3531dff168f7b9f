// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <optional>
#include <string>
#include <string_view>

namespace berth::api {

// KubernetesVersion is a minor release of Kubernetes, compared numerically.
struct KubernetesVersion {
  unsigned major = 0;
  unsigned minor = 0;

  std::string ToString() const;  // "1.36"
  auto operator<=>(const KubernetesVersion&) const = default;
};

// Supported range; `make test-versions` tests it. The oldest release is the first with
// ValidatingAdmissionPolicy in v1, which deploy/install.yaml contains. All other features that
// Berth uses are older: rules of CustomResourceDefinitions 1.29, unhealthyPodEvictionPolicy 1.27.
// Lists are paginated where streaming is not supported. Source: api
// admissionregistration/v1/zz_generated.prerelease-lifecycle.go.
inline constexpr KubernetesVersion kOldestKubernetes{1, 30};
inline constexpr KubernetesVersion kNewestKubernetes{1, 37};

// The release of the kube-scheduler that Berth's scheduling core follows. Commands without a
// cluster assume it.
inline constexpr KubernetesVersion kFollowedKubernetes{1, 36};

// Parses the prefix of a server or image version: "v1.36.3", "v1.31.0+rke2r1", "1.29+". Returns
// nullopt if there is no version.
std::optional<KubernetesVersion> ParseKubernetesVersion(std::string_view text);

}  // namespace berth::api
