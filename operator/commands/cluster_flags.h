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

// ClusterFlags are those of every command that a person sends to a cluster: it is found by
// --kubeconfig, then KUBECONFIG, then the service account of the pod, then ~/.kube/config.
struct ClusterFlags {
  std::string kubeconfig;
  std::string context;
};

// FlagsOf describes them. Requires: `flags` outlives what reads them.
std::vector<Flag> FlagsOf(ClusterFlags& flags);

// ConfigOf and Connect follow them. `command` is for the User-Agent. Errors: see
// client/kubeconfig.h.
Result<client::ClientConfig> ConfigOf(const ClusterFlags& flags);
Result<std::unique_ptr<client::Client>> Connect(const ClusterFlags& flags, std::string command,
                                                const Clock& clock);

}  // namespace berth::operator_
