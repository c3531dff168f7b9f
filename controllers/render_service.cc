// SPDX-License-Identifier: Apache-2.0
#include "api/scheduler_contract.h"
#include "controllers/render.h"
#include "crds/names.h"

namespace berth::controllers {

api::ConfigMap RenderConfigMap(const RenderInput& input) {
  api::ConfigMap config_map;
  config_map.metadata =
      MetadataOf(input.profile, ObjectName(input.profile), input.profile.spec.namespace_);
  config_map.data[std::string(api::kConfigKey)] = input.config;
  if (!input.last_good.empty()) config_map.data[std::string(api::kLastGoodKey)] = input.last_good;
  return config_map;
}

// Only whose it is: what else stands in it, the scheduler writes.
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

namespace {

// Pods of namespaces that were given the label. The kubelet's probes need no rule: traffic from the
// node of a pod is always allowed. Source: kubernetes.io/docs, Network Policies, its exception to
// IP blocks.
api::NetworkPolicyPeer WhoeverReadsMetrics() {
  api::NetworkPolicyPeer peer;
  peer.namespace_selector.emplace().match_labels = {
      {std::string(crds::kMetricsLabel), std::string(crds::kMetricsAllowed)}};
  return peer;
}

}  // namespace

// Egress is limited by port, not by address: the API server is behind a Service whose address a
// policy cannot name, and network plugins differ in whether they see it before or after
// translation.
std::optional<api::NetworkPolicy> RenderNetworkPolicy(const RenderInput& input) {
  if (!input.profile.spec.network_policy.enabled) return std::nullopt;
  const auto port = [](std::string protocol, int32_t number) {
    return api::NetworkPolicyPort{
        .protocol = std::move(protocol), .port = IntOrString(number), .end_port = std::nullopt};
  };
  api::NetworkPolicy policy;
  policy.metadata =
      MetadataOf(input.profile, ObjectName(input.profile), input.profile.spec.namespace_);
  policy.spec.pod_selector = api::LabelSelector{.match_labels = SelectorOf(input.profile)};
  policy.spec.policy_types = {"Egress", "Ingress"};
  policy.spec.ingress = {{.ports = {port("TCP", kMetricsPort)}, .from = {WhoeverReadsMetrics()}}};
  policy.spec.egress = {{.ports = {port("UDP", 53), port("TCP", 53)}, .to = {}},
                        {.ports = {port("TCP", 443), port("TCP", 6443)}, .to = {}}};
  return policy;
}

}  // namespace berth::controllers
