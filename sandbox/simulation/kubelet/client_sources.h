// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "client/client.h"
#include "sandbox/simulation/kubelet/pod_sources.h"

namespace berth::simulation {

// ClientSources reads from the API server.
class ClientSources final : public PodSources {
 public:
  explicit ClientSources(client::Client& client) : client_(client) {}

  Result<api::StringMap> ConfigMapData(const std::string& ns, const std::string& name) override;
  Result<api::StringMap> SecretData(const std::string& ns, const std::string& name) override;
  Result<std::string> Token(const api::Pod& pod, const std::string& audience,
                            int64_t expiration_seconds) override;

 private:
  client::Client& client_;
};

}  // namespace berth::simulation
