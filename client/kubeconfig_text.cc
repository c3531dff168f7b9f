// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <string>
#include <vector>

#include "base/base64.h"
#include "base/file.h"
#include "base/yaml/yaml.h"
#include "client/kubeconfig.h"
#include "client/kubeconfig_file.h"

namespace berth::client {
namespace {

constexpr const char* kEntryName = "berth";  // of the cluster, the user and the context

// Sets either the file name or the inline data.
void WritePem(const http::Pem& pem, std::string& file, std::string& data) {
  file = pem.file;
  if (!pem.data.empty()) data = EncodeBase64(pem.data);
}

// Reports whether some entry was not written by KubeconfigText.
template <class Named>
bool HasOthers(const std::vector<Named>& entries) {
  return std::ranges::any_of(entries, [](const Named& entry) { return entry.name != kEntryName; });
}

// Checks that the path does not exist or holds a file written by KubeconfigText.
Result<void> MayReplace(const std::string& path) {
  const auto file = ReadKubeconfigFile(path);
  if (!file && file.error().Is(Reason::kNotFound)) return {};
  if (!file) return Fail(file.error().With("not replaced"));
  if (!HasOthers(file->clusters) && !HasOthers(file->users) && !HasOthers(file->contexts)) {
    return {};
  }
  return ConfigError("not replaced: kubeconfig " + path +
                     " has entries that Berth did not write; name another file");
}

}  // namespace

std::string KubeconfigText(const ClientConfig& config) {
  NamedCluster cluster{.name = kEntryName, .cluster = {.server = config.server}};
  cluster.cluster.tls_server_name = config.tls.server_name;
  cluster.cluster.insecure_skip_tls_verify = config.tls.insecure_skip_verify;
  WritePem(config.tls.ca, cluster.cluster.certificate_authority,
           cluster.cluster.certificate_authority_data);
  NamedUser user{.name = kEntryName, .user = {.token = config.token}};
  WritePem(config.tls.certificate, user.user.client_certificate, user.user.client_certificate_data);
  WritePem(config.tls.key, user.user.client_key, user.user.client_key_data);
  return yaml::FromJson(json::Encode(KubeconfigFile{
      .api_version = "v1",
      .kind = "Config",
      .current_context = kEntryName,
      .clusters = {std::move(cluster)},
      .users = {std::move(user)},
      .contexts = {{.name = kEntryName, .context = {.cluster = kEntryName, .user = kEntryName}}}}));
}

Result<void> WriteKubeconfig(const ClientConfig& config, const std::string& path) {
  BERTH_TRY_VOID(MayReplace(path));
  return WriteFile(path, KubeconfigText(config), Readers::kOwner);
}

}  // namespace berth::client
