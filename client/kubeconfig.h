// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "client/client_config.h"

namespace berth::client {

// Environment answers for a variable, so tests need not change their own process.
using Environment = std::function<std::optional<std::string>(const std::string& name)>;
Environment ProcessEnvironment();

struct ConfigRequest {
  std::string kubeconfig;  // value of --kubeconfig; empty: look elsewhere
  std::string context;     // empty: current-context
  Environment environment = ProcessEnvironment();
};

// LoadClientConfig finds the way to the API server, in this order: --kubeconfig; the files that
// KUBECONFIG lists; the service account of the pod (KUBERNETES_SERVICE_HOST is set);
// ~/.kube/config. Blocks on files only. Errors (kConfig) name the file, the field path, what was
// found and what is allowed. Source: client-go tools/clientcmd; controller-runtime
// pkg/client/config/config.go, loadConfig.
Result<ClientConfig> LoadClientConfig(const ConfigRequest& request);

// LoadKubeconfig reads a list of files as one: the first file that defines an entry wins it whole,
// relative paths are relative to the file that holds them, files that are missing or empty are
// skipped.
Result<ClientConfig> LoadKubeconfig(const std::vector<std::filesystem::path>& files,
                                    const std::string& context);

// LoadInCluster reads the pod's own account: address from KUBERNETES_SERVICE_HOST and _PORT; token,
// CA and namespace from /var/run/secrets/kubernetes.io/serviceaccount, or from
// BERTH_SERVICEACCOUNT_ROOT (pods that are simulated as processes).
Result<ClientConfig> LoadInCluster(const Environment& environment);

// KubeconfigText is a kubeconfig that says the same as `config`: the server, whom to trust, and a
// certificate or a token. kubectl and LoadKubeconfig read it.
std::string KubeconfigText(const ClientConfig& config);

// WriteKubeconfig writes it to a file that only its owner can read. Error (kConfig): there is a file
// that KubeconfigText did not make, which may lead to other clusters, too; it stands.
Result<void> WriteKubeconfig(const ClientConfig& config, const std::string& path);

}  // namespace berth::client
