// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "api/core.h"
#include "client/client.h"
#include "client/informer.h"
#include "sandbox/simulation/control_loop.h"

namespace berth::simulation {

// ServiceAccountController creates the objects that pods need in each namespace: the ServiceAccount
// "default", and the ConfigMap "kube-root-ca.crt" with the CA certificate of the API server. It
// recreates them after a deletion.
class ServiceAccountController {
 public:
  // Requires: all references outlive this; the informers have not started. `root_ca` is PEM text;
  // empty: the API server is reached without TLS, and no ConfigMap is published.
  ServiceAccountController(client::Client& client, client::Informer<api::Namespace>& namespaces,
                           client::Informer<api::ServiceAccount>& accounts,
                           client::Informer<api::ConfigMap>& config_maps, std::string root_ca,
                           const Clock& clock);

  void Start() { loop_.Start(); }
  void Stop() { loop_.Stop(); }

 private:
  Result<RequeueAfter> Reconcile(const std::string& ns);
  Result<void> EnsureRootCertificate(const std::string& ns);

  client::Client& client_;
  client::Informer<api::Namespace>& namespaces_;
  client::Informer<api::ServiceAccount>& accounts_;
  client::Informer<api::ConfigMap>& config_maps_;
  const std::string root_ca_;
  ControlLoop loop_;
};

}  // namespace berth::simulation
