// SPDX-License-Identifier: Apache-2.0
#include "tests/sandbox/fidelity/server.h"

#include <exception>
#include <utility>

#include "tests/integration/harness/in_memory_control_plane.h"
#include "tests/integration/harness/real_control_plane.h"

namespace berth::fidelity {
namespace {

// StartedServer is a control plane without controllers.
class StartedServer final : public Server {
 public:
  explicit StartedServer(std::unique_ptr<integration::ControlPlane> plane)
      : plane_(std::move(plane)) {}
  std::filesystem::path kubeconfig() const override { return plane_->admin_kubeconfig(); }

 private:
  const std::unique_ptr<integration::ControlPlane> plane_;
};

template <class Plane>
Result<std::unique_ptr<Server>> StartWithoutControllers() {
  try {
    return std::make_unique<StartedServer>(
        std::make_unique<Plane>(integration::Controllers::kNone));
  } catch (const std::exception& error) {
    return ConfigError(error.what());
  }
}

class RunningServer final : public Server {
 public:
  explicit RunningServer(std::filesystem::path kubeconfig) : kubeconfig_(std::move(kubeconfig)) {}
  std::filesystem::path kubeconfig() const override { return kubeconfig_; }

 private:
  const std::filesystem::path kubeconfig_;
};

}  // namespace

Result<std::unique_ptr<Server>> StartReal() {
  return StartWithoutControllers<integration::RealControlPlane>();
}

Result<std::unique_ptr<Server>> StartInMemory() {
  return StartWithoutControllers<integration::InMemoryControlPlane>();
}

std::unique_ptr<Server> UseRunning(std::filesystem::path kubeconfig) {
  return std::make_unique<RunningServer>(std::move(kubeconfig));
}

}  // namespace berth::fidelity
