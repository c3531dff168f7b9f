// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "api/pod.h"
#include "base/error.h"
#include "client/kubeconfig.h"
#include "controllers/plan.h"

// Operator and schedulers are one program, so an installation says once which image that is: in the
// operator's Deployment, where kustomize and people put it. The operator reads it from its own Pod.
namespace berth::operator_ {

// What this program is made for, as nodes' label kubernetes.io/arch names it. Source: Go,
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
#error "no name of Kubernetes for this architecture is known here"
#endif

// OwnPod is the Pod that this process runs in.
struct OwnPod {
  std::string ns;
  std::string name;
};

// FindOwnPod reads POD_NAMESPACE and POD_NAME, which the operator's Deployment has set from the
// downward API; nothing where one is missing, as where somebody runs the process by hand.
std::optional<OwnPod> FindOwnPod(const client::Environment& environment);

// OwnImageIn gives the image of the operator's container, as the Pod's spec has it, so that another
// registry and a digest are followed, with the Pod's pull secrets. That container is `manager`, or
// the only one. Errors (kConfig): there are several, and none of that name.
Result<controllers::DefaultImage> OwnImageIn(const api::Pod& pod);

// SetDefaultImage has schedulers run another default image, and lets profiles name it in place of
// the one before. Its architecture stays.
void SetDefaultImage(controllers::DefaultImage image, controllers::PlanOptions& options);

}  // namespace berth::operator_
