// SPDX-License-Identifier: Apache-2.0
#include "scheduler/plugins/default_binder.h"

#include "api/scheduler_contract.h"

namespace berth::scheduler {

PluginDescriptor DefaultBinder::Descriptor() {
  return Describe<DefaultBinder>({
      .name = "DefaultBinder",
      .summary = "Binds a pod to its node by creating a Binding at the API server.",
      .permissions = {{api::kBaseCapability, "", "pods/binding", "create"}},
      .example = R"(plugins:
  bind:
    enabled: [{name: DefaultBinder}])",
  });
}

void DefaultBinder::Bind(CycleContext& cycle, const NodeRef& node, StatusDone done) const {
  api_.Bind(PodRef::Of(cycle.pod.pod()), node.name(),
            [done = std::move(done)](Result<void> outcome) {
              done(outcome ? Status::Success() : Status::Failed(outcome.error().message()));
            });
}

}  // namespace berth::scheduler
