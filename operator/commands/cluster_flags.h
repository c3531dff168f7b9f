// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/error.h"
#include "base/flags.h"
#include "client/client.h"

namespace berth::operator_ {

// ClusterFlags are the flags of every command that a user runs against a cluster. The cluster is
// that of --kubeconfig, then KUBECONFIG, then the service account of the pod, then ~/.kube/config.
struct ClusterFlags {
  std::string kubeconfig;
  std::string context;
};

// Returns the flags. Requires: `flags` outlives the returned flags.
std::vector<Flag> FlagsOf(ClusterFlags& flags);

// Load the configuration and create the client. `command` is for the User-Agent. Errors: see
// client/kubeconfig.h.
Result<client::ClientConfig> ConfigOf(const ClusterFlags& flags);
Result<std::unique_ptr<client::Client>> Connect(const ClusterFlags& flags, std::string command,
                                                const Clock& clock);

}  // namespace berth::operator_
