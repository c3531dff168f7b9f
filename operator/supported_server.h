// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/error.h"
#include "client/server_version.h"

namespace berth::operator_ {

// The oldest Kubernetes that has what an installation needs: ValidatingAdmissionPolicy in v1, which
// deploy/install.yaml holds. All else that Berth uses is older: rules of CustomResourceDefinitions
// 1.29, unhealthyPodEvictionPolicy 1.27; where lists cannot be streamed they are read in pages.
// Source: api admissionregistration/v1/zz_generated.prerelease-lifecycle.go.
inline constexpr client::ServerVersion kOldestServer{1, 30};

// CheckServer refuses a server that is older. Errors (kConfig) say what it is, what is needed and
// why.
Result<void> CheckServer(const client::ServerInfo& server);

}  // namespace berth::operator_
