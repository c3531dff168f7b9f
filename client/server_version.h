// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "api/kubernetes_version.h"
#include "base/error.h"
#include "client/client.h"

namespace berth::client {

// ServerInfo is what a server says of itself at /version.
struct ServerInfo {
  std::string text;  // as it says it: "v1.30.2-gke.1"
  api::KubernetesVersion version;
};

// AskVersion asks for it. Errors: those of Client; kConfig with what was found when that is no
// version.
Result<ServerInfo> AskVersion(Client& client, CallOptions options = {});

}  // namespace berth::client
