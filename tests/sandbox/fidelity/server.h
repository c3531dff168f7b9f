// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "base/error.h"

namespace berth::fidelity {

// Server is an API server under test; the destructor ends it if it was started here.
class Server {
 public:
  virtual ~Server() = default;
  virtual std::filesystem::path kubeconfig() const = 0;
};

// Starts the pinned etcd and kube-apiserver, without controllers, from $BERTH_CONTROLPLANE.
Result<std::unique_ptr<Server>> StartReal();

// Starts `berth-sandbox apiserver` from $BERTH_BINARY_DIR.
Result<std::unique_ptr<Server>> StartInMemory();

// Uses a running server.
std::unique_ptr<Server> UseRunning(std::filesystem::path kubeconfig);

}  // namespace berth::fidelity
