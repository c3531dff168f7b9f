// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "api/core.h"
#include "client/client.h"
#include "client/informer.h"
#include "sandbox/simulation/control_loop.h"
#include "sandbox/simulation/discovery.h"

namespace berth::simulation {

// NamespaceController deletes the content of a namespace that is being deleted, and then its
// finalizer.
class NamespaceController {
 public:
  // Requires: all references outlive this; the informer has not started.
  NamespaceController(client::Client& client, client::Informer<api::Namespace>& namespaces,
                      const Clock& clock);

  void Start() { loop_.Start(); }
  void Stop() { loop_.Stop(); }

 private:
  Result<RequeueAfter> Reconcile(const std::string& name);
  // Deletes the namespace's objects and returns the number of remaining ones.
  Result<size_t> Empty(const std::string& ns);
  Result<size_t> EmptyOf(const ServedResource& resource, const std::string& ns);
  Result<void> Finalize(const std::string& ns);

  client::Client& client_;
  client::Informer<api::Namespace>& namespaces_;
  ControlLoop loop_;
};

}  // namespace berth::simulation
