// SPDX-License-Identifier: Apache-2.0
#include "sandbox/demo/local_server.h"

#include <string>
#include <system_error>
#include <utility>

#include <nlohmann/json.hpp>

#include "base/base64.h"
#include "base/file.h"
#include "base/yaml/yaml.h"
#include "http/crypto/certificates.h"

namespace berth::sandbox {
namespace {

using Json = nlohmann::json;

constexpr const char* kAddress = "127.0.0.1";
constexpr const char* kName = "berth-demo";  // of cluster, user and context

std::string KubeconfigText(const std::string& url, const std::string& authority,
                           const http::CertificateAndKey& admin) {
  const Json cluster = {{"server", url}, {"certificate-authority-data", EncodeBase64(authority)}};
  const Json user = {{"client-certificate-data", EncodeBase64(admin.certificate)},
                     {"client-key-data", EncodeBase64(admin.key)}};
  const Json context = {{"cluster", kName}, {"user", kName}};
  return yaml::FromJson(Json({{"apiVersion", "v1"},
                              {"kind", "Config"},
                              {"clusters", Json::array({{{"name", kName}, {"cluster", cluster}}})},
                              {"users", Json::array({{{"name", kName}, {"user", user}}})},
                              {"contexts", Json::array({{{"name", kName}, {"context", context}}})},
                              {"current-context", kName}})
                            .dump());
}

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
  BERTH_TRY_VOID(WriteFile(kubeconfig.string(),
                           KubeconfigText(server->url(), authority->certificate(), admin)));
  return std::unique_ptr<LocalServer>(new LocalServer(std::move(server), std::move(kubeconfig)));
}

}  // namespace berth::sandbox
