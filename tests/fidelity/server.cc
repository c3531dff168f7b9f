// SPDX-License-Identifier: Apache-2.0
#include "tests/fidelity/server.h"

#include <chrono>
#include <exception>
#include <utility>

#include "base/file.h"
#include "client/kubeconfig.h"
#include "tests/integration/harness/control_plane.h"
#include "tests/integration/harness/process.h"
#include "tests/integration/harness/wait.h"
#include "tests/support/http/test_certificates.h"

namespace berth::fidelity {
namespace {

constexpr std::chrono::seconds kStartLimit{30};

class RealServer final : public Server {
 public:
  std::filesystem::path kubeconfig() const override { return plane_.admin_kubeconfig(); }

 private:
  integration::ControlPlane plane_{integration::Controllers::kNone};
};

// InMemoryServer serves TLS and knows admin by a certificate, as the real one does: without TLS it
// would take anybody for admin.
class InMemoryServer final : public Server {
 public:
  InMemoryServer()
      : process_({integration::BerthBinary(), "apiserver", "--port", "0", "--tls-cert-file",
                  Certificate("server.crt"), "--tls-private-key-file", Certificate("server.key"),
                  "--client-ca-file", Certificate("ca.crt"), "--write-kubeconfig", written()},
                 folder_.path() / "log") {}

  // Await gives an error when the server ends or does not say where it listens.
  Result<void> Await() {
    integration::PollUntil(kStartLimit, [this] {
      return !process_.IsRunning() || std::filesystem::exists(written());
    });
    if (!process_.IsRunning() || !std::filesystem::exists(written())) {
      return ConfigError("berth apiserver did not start: " + process_.Output());
    }
    BERTH_TRY(const client::ClientConfig config, client::LoadKubeconfig({written()}, ""));
    return WriteFile(kubeconfig(),
                     "clusters: [{name: c, cluster: {server: \"" + config.server +
                         "\", certificate-authority: " + Certificate("ca.crt") +
                         "}}]\nusers: [{name: u, user: {client-certificate: " +
                         Certificate("client.crt") + ", client-key: " + Certificate("client.key") +
                         "}}]\ncontexts: [{name: x, context: {cluster: c, user: u}}]\n"
                         "current-context: x\n");
  }

  std::filesystem::path kubeconfig() const override { return folder_.path() / "kubeconfig"; }

 private:
  static std::string Certificate(const std::string& name) {
    return http::TestCertificates::Instance().File(name);
  }
  std::filesystem::path written() const { return folder_.path() / "written"; }

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
    BERTH_TRY_VOID(server->Await());
    return server;
  } catch (const std::exception& error) {
    return ConfigError("start berth apiserver: " + std::string(error.what()));
  }
}

std::unique_ptr<Server> UseRunning(std::filesystem::path kubeconfig) {
  return std::make_unique<RunningServer>(std::move(kubeconfig));
}

}  // namespace berth::fidelity
