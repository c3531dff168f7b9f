// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "base/error.h"

namespace berth::fidelity {

// Server is an API server under test; one that was started here ends with it.
class Server {
 public:
  virtual ~Server() = default;
  virtual std::filesystem::path kubeconfig() const = 0;
};

// StartReal starts the pinned etcd and kube-apiserver, without controllers, from
// $BERTH_CONTROLPLANE.
Result<std::unique_ptr<Server>> StartReal();

// StartInMemory starts `berth-sandbox apiserver` from $BERTH_BINARY_DIR.
Result<std::unique_ptr<Server>> StartInMemory();

// UseRunning is any server that runs already.
std::unique_ptr<Server> UseRunning(std::filesystem::path kubeconfig);

}  // namespace berth::fidelity
