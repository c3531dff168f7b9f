// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "api/kubernetes_version.h"
#include "base/error.h"
#include "client/client.h"

namespace berth::client {

// ServerInfo is the version of a server, from /version.
struct ServerInfo {
  std::string text;  // gitVersion: "v1.30.2-gke.1"
  api::KubernetesVersion version;
};

// Requests the version. Errors: those of Client; kConfig with the text found if it is not a
// version.
Result<ServerInfo> AskVersion(Client& client, CallOptions options = {});

}  // namespace berth::client
