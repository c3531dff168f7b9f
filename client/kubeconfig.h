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

// Environment looks up an environment variable; tests pass their own.
using Environment = std::function<std::optional<std::string>(const std::string& name)>;
Environment ProcessEnvironment();

struct ConfigRequest {
  std::string kubeconfig;  // value of --kubeconfig; empty: search as LoadClientConfig does
  std::string context;     // empty: current-context
  Environment environment = ProcessEnvironment();
};

// Loads the configuration of the API server from the first source that is set: --kubeconfig; the
// files that KUBECONFIG lists; the pod's service account (KUBERNETES_SERVICE_HOST is set);
// ~/.kube/config. Blocks only on files. Errors (kConfig) name the file, the field path, the value
// found and the allowed values. Source: client-go tools/clientcmd; controller-runtime
// pkg/client/config/config.go, loadConfig.
Result<ClientConfig> LoadClientConfig(const ConfigRequest& request);

// Merges a list of files: the first file that defines an entry supplies the whole entry. Relative
// paths are relative to their file. Missing and empty files are skipped.
Result<ClientConfig> LoadKubeconfig(const std::vector<std::filesystem::path>& files,
                                    const std::string& context);

// Loads the pod's service account: address from KUBERNETES_SERVICE_HOST and _PORT; token, CA and
// namespace from /var/run/secrets/kubernetes.io/serviceaccount, or from BERTH_SERVICEACCOUNT_ROOT
// (for pods simulated as processes).
Result<ClientConfig> LoadInCluster(const Environment& environment);

// Formats `config` as a kubeconfig: the server, its CA, and a certificate or a token. kubectl and
// LoadKubeconfig read it.
std::string KubeconfigText(const ClientConfig& config);

// Writes KubeconfigText to a file that only its owner can read. Error (kConfig): the file exists
// and was not written by KubeconfigText; it may hold other clusters and is left unchanged.
Result<void> WriteKubeconfig(const ClientConfig& config, const std::string& path);

}  // namespace berth::client
