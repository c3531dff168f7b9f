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

  std::string ToString() const;  // "1.37"
  auto operator<=>(const KubernetesVersion&) const = default;
};

// Supported range; `make test-versions` tests it. The oldest release is the first with
// ValidatingAdmissionPolicy in v1, which deploy/install.yaml contains. All other features that
// Berth uses are older: rules of CustomResourceDefinitions 1.29, unhealthyPodEvictionPolicy 1.27.
// Lists are paginated where streaming is not supported. Source: api
// admissionregistration/v1/zz_generated.prerelease-lifecycle.go.
inline constexpr KubernetesVersion kOldestKubernetes{1, 30};
inline constexpr KubernetesVersion kNewestKubernetes{1, 37};

// The reference: the release of kube-scheduler that the scheduling core follows, and that
// berth-sandbox reports as its own. scripts/check-reference compares documents and pinned modules
// with it. docs/upstream.md has the steps to the next one.
inline constexpr std::string_view kReferenceRelease = "v1.37.2";

// Returns the minor of a release such as "v1.37.2".
consteval KubernetesVersion MinorOf(std::string_view release) {
  KubernetesVersion version;
  size_t at = 1;
  for (unsigned* number : {&version.major, &version.minor}) {
    for (; release.at(at) != '.'; ++at) *number = *number * 10 + unsigned(release[at] - '0');
    ++at;
  }
  return version;
}

// The minor of the reference. Commands without a cluster assume it.
inline constexpr KubernetesVersion kReferenceKubernetes = MinorOf(kReferenceRelease);

// Parses the prefix of a server or image version: "v1.37.2", "v1.31.0+rke2r1", "1.29+". Returns
// nullopt if there is no version.
std::optional<KubernetesVersion> ParseKubernetesVersion(std::string_view text);

}  // namespace berth::api
