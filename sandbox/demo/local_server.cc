// SPDX-License-Identifier: Apache-2.0
#include "sandbox/demo/local_server.h"

#include <string>
#include <system_error>
#include <utility>

#include "base/file.h"
#include "client/kubeconfig.h"
#include "http/crypto/certificates.h"

namespace berth::sandbox {
namespace {

constexpr const char* kAddress = "127.0.0.1";
constexpr const char* kName = "berth-demo";  // of the CA

}  // namespace

Result<std::unique_ptr<LocalServer>> LocalServer::Start(const std::filesystem::path& folder,
                                                        const Clock& clock) {
  BERTH_TRY(const auto authority, http::CertificateAuthority::Create(kName));
  BERTH_TRY(
      const http::CertificateAndKey identity,
      authority->IssueServer("kube-apiserver",
                             {"localhost", "kubernetes", "kubernetes.default.svc"}, {kAddress}));
  BERTH_TRY(const http::CertificateAndKey admin,
            authority->IssueClient("admin", {"system:masters"}));
  apiserver::ServerOptions options;
  options.address = kAddress;
  options.tls = http::ServerTlsOptions{.certificate = {.data = identity.certificate, .file = {}},
                                       .key = {.data = identity.key, .file = {}},
                                       .client_ca = {.data = authority->certificate(), .file = {}}};
  BERTH_TRY(std::unique_ptr<apiserver::Server> server,
            apiserver::Server::Start(std::move(options), clock));
  std::filesystem::path kubeconfig = folder / "admin.kubeconfig";
  client::ClientConfig config{.server = server->url()};
  config.tls = {.ca = {.data = authority->certificate(), .file = {}},
                .certificate = {.data = admin.certificate, .file = {}},
                .key = {.data = admin.key, .file = {}}};
  BERTH_TRY_VOID(WriteFile(kubeconfig.string(), client::KubeconfigText(config)));
  return std::unique_ptr<LocalServer>(new LocalServer(std::move(server), std::move(kubeconfig)));
}

}  // namespace berth::sandbox
