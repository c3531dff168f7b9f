// SPDX-License-Identifier: Apache-2.0
#include "operator/commands/cluster_flags.h"

#include "client/kubeconfig.h"

namespace berth::operator_ {

std::vector<Flag> FlagsOf(ClusterFlags& flags) {
  return {{.name = "--kubeconfig",
           .target = &flags.kubeconfig,
           .help = "Kubeconfig file of the cluster",
           .type = "FILE"},
          {.name = "--context",
           .target = &flags.context,
           .help = "Context of that file; default: its current context",
           .type = "NAME"}};
}

Result<client::ClientConfig> ConfigOf(const ClusterFlags& flags) {
  return client::LoadClientConfig({.kubeconfig = flags.kubeconfig, .context = flags.context});
}

Result<std::unique_ptr<client::Client>> Connect(const ClusterFlags& flags, std::string command,
                                                const Clock& clock) {
  BERTH_TRY(const client::ClientConfig config, ConfigOf(flags));
  return client::Client::Create(config, {.component = std::move(command)}, clock);
}

}  // namespace berth::operator_
