// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "api/pod.h"
#include "base/error.h"
#include "client/kubeconfig.h"
#include "controllers/plan.h"

// Operator and schedulers are one program, so an installation names its image once: in the
// operator's Deployment, where kustomize and users set it. The operator reads it from its own Pod.
namespace berth::operator_ {

// The architecture of this program, as in the node label kubernetes.io/arch. Source: Go,
// internal/goarch.
#if defined(__x86_64__)
inline constexpr std::string_view kOwnArchitecture = "amd64";
#elif defined(__aarch64__)
inline constexpr std::string_view kOwnArchitecture = "arm64";
#elif defined(__powerpc64__) && defined(__LITTLE_ENDIAN__)
inline constexpr std::string_view kOwnArchitecture = "ppc64le";
#elif defined(__riscv)
inline constexpr std::string_view kOwnArchitecture = "riscv64";
#elif defined(__s390x__)
inline constexpr std::string_view kOwnArchitecture = "s390x";
#else
#error "unknown Kubernetes name of this architecture"
#endif

// OwnPod identifies the Pod of this process.
struct OwnPod {
  std::string ns;
  std::string name;
};

// Reads POD_NAMESPACE and POD_NAME, which the operator's Deployment sets from the downward API.
// Returns nullopt if one is missing, for example if the process was started manually.
std::optional<OwnPod> FindOwnPod(const client::Environment& environment);

// Returns the image of the operator's container in the Pod's spec, including another registry or a
// digest, and the Pod's pull secrets. The container is `manager`, or the only one. Errors
// (kConfig): several containers, none with that name.
Result<controllers::DefaultImage> OwnImageIn(const api::Pod& pod);

// Sets the default image of schedulers and allows profiles to use it instead of the previous one.
// Its architecture is unchanged.
void SetDefaultImage(controllers::DefaultImage image, controllers::PlanOptions& options);

}  // namespace berth::operator_
