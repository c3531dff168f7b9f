// SPDX-License-Identifier: Apache-2.0
#include "sandbox/simulation/kubelet/client_sources.h"

#include "api/authentication.h"
#include "base/base64.h"
#include "sandbox/simulation/objects.h"

namespace berth::simulation {

Result<api::StringMap> ClientSources::ConfigMapData(const std::string& ns,
                                                    const std::string& name) {
  BERTH_TRY(api::ConfigMap map, client_.Get<api::ConfigMap>(ns, name));
  return std::move(map.data);
}

Result<api::StringMap> ClientSources::SecretData(const std::string& ns, const std::string& name) {
  BERTH_TRY(const Secret secret, client_.Get<Secret>(ns, name));
  api::StringMap data;
  for (const auto& [key, value] : secret.data) {
    BERTH_TRY(data[key], DecodeBase64(value, Whitespace::kSkipped));
  }
  return data;
}

Result<std::string> ClientSources::Token(const api::Pod& pod, const std::string& audience,
                                         int64_t expiration_seconds) {
  api::TokenRequest request;
  if (!audience.empty()) request.spec.audiences = {audience};
  request.spec.expiration_seconds = expiration_seconds;
  request.spec.bound_object_ref = api::BoundObjectReference{
      .api_version = "v1", .kind = "Pod", .name = pod.metadata.name, .uid = pod.metadata.uid};
  const std::string& account = pod.spec.service_account_name;
  BERTH_TRY(api::TokenRequest answer,
            client_.CallAs<api::TokenRequest>(client::CreateRequest(
                api::ServiceAccount::kResource, pod.metadata.namespace_, json::Encode(request),
                account.empty() ? "default" : account, "token")));
  return std::move(answer.status.token);
}

}  // namespace berth::simulation
