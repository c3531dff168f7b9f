// SPDX-License-Identifier: Apache-2.0
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "api/metric_source.h"
#include "api/outbound_address.h"
#include "controllers/render.h"
#include "crds/names.h"

namespace berth::controllers {
namespace {

// Every namespace has this label with its name. Source: kubernetes pkg/apis/core/v1/defaults.go,
// SetDefaults_Namespace.
constexpr std::string_view kNamespaceNameLabel = "kubernetes.io/metadata.name";

// Service kube-dns uses port 53; the pods behind OpenShift's listen on 5353. Source:
// openshift/cluster-dns-operator assets/dns/daemonset.yaml.
constexpr int32_t kDnsPorts[] = {53, 5353};

api::NetworkPolicyPort PortOf(std::string_view protocol, int32_t number) {
  return {.protocol = std::string(protocol), .port = IntOrString(number), .end_port = std::nullopt};
}

api::NetworkPolicyPeer NamespacesWith(std::string_view label, std::string_view value) {
  api::NetworkPolicyPeer peer;
  peer.namespace_selector.emplace().match_labels = {{std::string(label), std::string(value)}};
  return peer;
}

api::NetworkPolicyEgressRule ToDns() {
  api::NetworkPolicyEgressRule rule;
  for (const std::string_view protocol : {"UDP", "TCP"}) {
    for (const int32_t port : kDnsPorts) rule.ports.push_back(PortOf(protocol, port));
  }
  return rule;
}

// Allows ports, not addresses: the API server is behind a Service whose address a policy cannot
// name, and network plugins differ in whether they see it before or after translation.
api::NetworkPolicyEgressRule ToAnywhereAt(const std::set<int32_t>& ports) {
  api::NetworkPolicyEgressRule rule;
  for (const int32_t port : ports) rule.ports.push_back(PortOf("TCP", port));
  return rule;
}

// Allows all ports, since the pods behind a Service may use another port than the Service.
api::NetworkPolicyEgressRule ToPodsOf(const std::set<std::string>& namespaces) {
  api::NetworkPolicyEgressRule rule;
  for (const std::string& ns : namespaces) {
    rule.to.push_back(NamespacesWith(kNamespaceNameLabel, ns));
  }
  return rule;
}

// Returns the URLs that the scheduler calls besides the API server.
std::vector<std::string> UrlsOf(const crds::SchedulerProfileSpec& spec) {
  std::vector<std::string> urls;
  for (const crds::Extender& extender : spec.extenders) urls.push_back(extender.url_prefix);
  for (const auto& [source, path] : api::MetricSourcesOf(spec.plugin_config)) {
    urls.push_back(source.Url());
  }
  return urls;
}

// Allows the API server, the profile's extenders and its metric sources.
std::vector<api::NetworkPolicyEgressRule> EgressOf(const RenderInput& input) {
  std::set<int32_t> ports(input.api_server_ports.begin(), input.api_server_ports.end());
  std::set<std::string> namespaces;
  for (const std::string& url : UrlsOf(input.profile.spec)) {
    const auto address = api::ReadOutboundAddress(url);
    if (!address || api::IsLoopback(address->host)) continue;  // crosses no network
    ports.insert(address->port);
    if (const auto service = api::ServiceOf(*address)) namespaces.insert(service->namespace_);
  }
  std::vector<api::NetworkPolicyEgressRule> rules = {ToDns(), ToAnywhereAt(ports)};
  if (!namespaces.empty()) rules.push_back(ToPodsOf(namespaces));
  return rules;
}

}  // namespace

// Only pods in namespaces with the metrics label may read metrics. The kubelet's probes need no
// rule: traffic from a pod's node is always allowed. Source: kubernetes.io/docs, Network Policies,
// its exception to IP blocks.
std::optional<api::NetworkPolicy> RenderNetworkPolicy(const RenderInput& input) {
  if (!input.profile.spec.network_policy.enabled) return std::nullopt;
  api::NetworkPolicy policy;
  policy.metadata =
      MetadataOf(input.profile, ObjectName(input.profile), input.profile.spec.namespace_);
  policy.spec.pod_selector = api::LabelSelector{.match_labels = SelectorOf(input.profile)};
  policy.spec.policy_types = {"Egress", "Ingress"};
  policy.spec.ingress = {{.ports = {PortOf("TCP", kMetricsPort)},
                          .from = {NamespacesWith(crds::kMetricsLabel, crds::kMetricsAllowed)}}};
  policy.spec.egress = EgressOf(input);
  return policy;
}

}  // namespace berth::controllers
