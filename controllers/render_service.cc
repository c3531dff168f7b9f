// SPDX-License-Identifier: Apache-2.0
#include "api/scheduler_contract.h"
#include "controllers/config.h"
#include "controllers/render.h"

namespace berth::controllers {

api::ConfigMap RenderConfigMap(const RenderInput& input) {
  api::ConfigMap config_map;
  config_map.metadata = MetadataOf(input.profile, ConfigMapName(input.profile, input.version),
                                   input.profile.spec.namespace_);
  config_map.data[std::string(api::kConfigKey)] = input.config;
  if (!input.version.empty()) {
    config_map.immutable = true;
  } else if (!input.last_good.empty()) {
    config_map.data[std::string(api::kLastGoodKey)] = input.last_good;
  }
  return config_map;
}

// Only metadata: the scheduler writes the rest.
api::Lease RenderLease(const RenderInput& input) {
  api::Lease lease;
  lease.metadata =
      MetadataOf(input.profile, ObjectName(input.profile), input.profile.spec.namespace_);
  return lease;
}

api::Service RenderService(const RenderInput& input) {
  api::Service service;
  service.metadata =
      MetadataOf(input.profile, ObjectName(input.profile), input.profile.spec.namespace_);
  service.spec.ports = {{.name = "metrics",
                         .protocol = "TCP",
                         .app_protocol = std::nullopt,
                         .port = kMetricsPort,
                         .target_port = IntOrString(std::string("metrics"))}};
  service.spec.selector = SelectorOf(input.profile);
  service.spec.type = "ClusterIP";
  return service;
}

std::optional<api::PodDisruptionBudget> RenderPodDisruptionBudget(const RenderInput& input) {
  if (input.profile.spec.deployment.replicas <= 1) return std::nullopt;
  api::PodDisruptionBudget budget;
  budget.metadata =
      MetadataOf(input.profile, ObjectName(input.profile), input.profile.spec.namespace_);
  budget.spec.max_unavailable = IntOrString(1);
  budget.spec.selector = api::LabelSelector{.match_labels = SelectorOf(input.profile)};
  budget.spec.unhealthy_pod_eviction_policy = "AlwaysAllow";
  return budget;
}

}  // namespace berth::controllers
