// SPDX-License-Identifier: Apache-2.0
#include "tests/fidelity/server.h"

#include <chrono>
#include <exception>
#include <utility>

#include "tests/integration/harness/control_plane.h"
#include "tests/integration/harness/process.h"
#include "tests/integration/harness/wait.h"

namespace berth::fidelity {
namespace {

class RealServer final : public Server {
 public:
  std::filesystem::path kubeconfig() const override { return plane_.admin_kubeconfig(); }

 private:
  integration::ControlPlane plane_{integration::Controllers::kNone};
};

class InMemoryServer final : public Server {
 public:
  InMemoryServer()
      : process_({integration::BerthBinary(), "apiserver", "--port", "0", "--write-kubeconfig",
                  kubeconfig()},
                 folder_.path() / "log") {}

  // Await gives false when the process ended or wrote no kubeconfig.
  bool Await() {
    integration::PollUntil(std::chrono::seconds(30), [this] {
      return !process_.IsRunning() || std::filesystem::exists(kubeconfig());
    });
    return process_.IsRunning() && std::filesystem::exists(kubeconfig());
  }

  std::filesystem::path kubeconfig() const override { return folder_.path() / "kubeconfig"; }
  std::string Output() const { return process_.Output(); }

 private:
  const integration::TemporaryFolder folder_;
  integration::Process process_;
};

class RunningServer final : public Server {
 public:
  explicit RunningServer(std::filesystem::path kubeconfig) : kubeconfig_(std::move(kubeconfig)) {}
  std::filesystem::path kubeconfig() const override { return kubeconfig_; }

 private:
  const std::filesystem::path kubeconfig_;
};

}  // namespace

Result<std::unique_ptr<Server>> StartReal() {
  try {
    return std::make_unique<RealServer>();
  } catch (const std::exception& error) {
    return ConfigError("start the control plane: " + std::string(error.what()));
  }
}

Result<std::unique_ptr<Server>> StartInMemory() {
  try {
    auto server = std::make_unique<InMemoryServer>();
    if (!server->Await()) return ConfigError("berth apiserver did not start: " + server->Output());
    return server;
  } catch (const std::exception& error) {
    return ConfigError("start berth apiserver: " + std::string(error.what()));
  }
}

std::unique_ptr<Server> UseRunning(std::filesystem::path kubeconfig) {
  return std::make_unique<RunningServer>(std::move(kubeconfig));
}

}  // namespace berth::fidelity
