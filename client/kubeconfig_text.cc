// SPDX-License-Identifier: Apache-2.0
#include <string>

#include "base/base64.h"
#include "base/yaml/yaml.h"
#include "client/kubeconfig.h"
#include "client/kubeconfig_file.h"

namespace berth::client {
namespace {

constexpr const char* kEntryName = "berth";  // of the cluster, the user and the context

// A file is named, text stands in the kubeconfig itself.
void WritePem(const http::Pem& pem, std::string& file, std::string& data) {
  file = pem.file;
  if (!pem.data.empty()) data = EncodeBase64(pem.data);
}

}  // namespace

std::string KubeconfigText(const ClientConfig& config) {
  NamedCluster cluster{.name = kEntryName, .cluster = {.server = config.server}};
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

}  // namespace berth::client
