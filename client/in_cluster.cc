// SPDX-License-Identifier: Apache-2.0
#include <filesystem>

#include "base/file.h"
#include "base/strings.h"
#include "client/kubeconfig.h"

namespace berth::client {
namespace {

namespace fs = std::filesystem;

constexpr const char* kMount = "/var/run/secrets/kubernetes.io/serviceaccount";

std::string NamespaceOf(const Environment& environment, const fs::path& mount) {
  if (auto from_pod = environment("POD_NAMESPACE")) return *from_pod;
  const auto text = ReadFile((mount / "namespace").string());
  const std::string ns(text ? TrimSpace(*text) : "");
  return ns.empty() ? "default" : ns;
}

}  // namespace

Result<ClientConfig> LoadInCluster(const Environment& environment) {
  const std::string source = "the service account of the pod";
  const auto host = environment("KUBERNETES_SERVICE_HOST");
  const auto port = environment("KUBERNETES_SERVICE_PORT");
  if (!host || !port) {
    return ConfigError(source +
                       ": KUBERNETES_SERVICE_HOST and KUBERNETES_SERVICE_PORT must be set");
  }
  const fs::path mount = environment("BERTH_SERVICEACCOUNT_ROOT").value_or(kMount);
  const bool is_ipv6 = host->find(':') != std::string::npos;
  ClientConfig config{
      .server = "https://" + (is_ipv6 ? "[" + *host + "]" : *host) + ":" + *port,
      .token_file = (mount / "token").string(),
      .default_namespace = NamespaceOf(environment, mount),
      .is_in_cluster = true,
      .source = source,
  };
  config.tls.ca.file = (mount / "ca.crt").string();
  for (const std::string& file : {config.token_file, config.tls.ca.file}) {
    if (auto text = ReadFile(file); !text) return Fail(text.error().With(source));
  }
  return config;
}

}  // namespace berth::client
