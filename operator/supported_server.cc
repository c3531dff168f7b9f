// SPDX-License-Identifier: Apache-2.0
#include "operator/supported_server.h"

namespace berth::operator_ {

Result<void> CheckServer(const client::ServerInfo& server) {
  if (server.version >= api::kOldestKubernetes) return {};
  return ConfigError(
      "the API server is Kubernetes " + server.text + ", this version of Berth needs " +
      api::kOldestKubernetes.ToString() +
      " or newer: older versions have no ValidatingAdmissionPolicy in "
      "admissionregistration.k8s.io/v1, which validates profiles at apply and limits "
      "the operator's account to the bindings of schedulers");
}

}  // namespace berth::operator_
