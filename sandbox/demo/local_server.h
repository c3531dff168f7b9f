// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <memory>

#include "base/clock.h"
#include "base/error.h"
#include "sandbox/apiserver/server.h"

namespace berth::sandbox {

// LocalServer is the in-memory API server with its own certificates, on a free loopback port.
class LocalServer {
 public:
  // Starts the server and writes the administrator's self-contained kubeconfig into `folder`.
  // Requires: clock outlives the server.
  static Result<std::unique_ptr<LocalServer>> Start(const std::filesystem::path& folder,
                                                    const Clock& clock);

  const std::filesystem::path& kubeconfig() const { return kubeconfig_; }

 private:
  LocalServer(std::unique_ptr<apiserver::Server> server, std::filesystem::path kubeconfig)
      : server_(std::move(server)), kubeconfig_(std::move(kubeconfig)) {}

  const std::unique_ptr<apiserver::Server> server_;
  const std::filesystem::path kubeconfig_;
};

}  // namespace berth::sandbox
