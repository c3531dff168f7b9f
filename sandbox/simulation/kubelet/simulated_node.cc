// SPDX-License-Identifier: Apache-2.0
#include "sandbox/simulation/kubelet/simulated_node.h"

#include <nlohmann/json.hpp>

#include "api/kubernetes_version.h"
#include "base/json/document.h"
#include "base/json/json.h"

namespace berth::simulation {
namespace {

using Json = nlohmann::json;

constexpr int64_t kDefaultPods = 110;
constexpr int32_t kLeaseSeconds = 40;

api::ResourceList AllocatableOf(const NodeDescription& description) {
  api::ResourceList allocatable = description.allocatable;
  allocatable.try_emplace("pods", Quantity::FromValue(kDefaultPods));
  return allocatable;
}

std::vector<api::NodeCondition> NodeConditions(Time registered, Time now) {
  struct Fact {
    const char *type, *status, *reason, *message;
  };
  constexpr Fact kFacts[] = {
      {"MemoryPressure", "False", "KubeletHasSufficientMemory",
       "kubelet has sufficient memory available"},
      {"DiskPressure", "False", "KubeletHasNoDiskPressure", "kubelet has no disk pressure"},
      {"PIDPressure", "False", "KubeletHasSufficientPID", "kubelet has sufficient PID available"},
      {"Ready", "True", "KubeletReady", "kubelet is posting ready status"},
  };
  std::vector<api::NodeCondition> conditions;
  for (const Fact& fact : kFacts) {
    conditions.push_back({.type = fact.type,
                          .status = fact.status,
                          .reason = fact.reason,
                          .message = fact.message,
                          .last_heartbeat_time = now,
                          .last_transition_time = registered});
  }
  return conditions;
}

}  // namespace

api::Node NodeObjectOf(const NodeDescription& description, Time now) {
  api::Node node;
  node.metadata.name = description.name;
  node.metadata.labels = {{"kubernetes.io/hostname", description.name},
                          {"kubernetes.io/os", "linux"},
                          {"kubernetes.io/arch", kNodeArchitecture}};
  for (const auto& [key, value] : description.labels) node.metadata.labels[key] = value;
  node.spec.taints = description.taints;
  node.status.capacity = AllocatableOf(description);
  node.status.allocatable = node.status.capacity;
  node.status.images = description.images;
  node.status.conditions = NodeConditions(now, now);
  return node;
}

std::string NodeStatusPatch(const NodeDescription& description, const std::string& address,
                            Time registered, Time now) {
  api::Node node = NodeObjectOf(description, now);
  node.status.conditions = NodeConditions(registered, now);
  node.status.addresses = {{.type = "InternalIP", .address = address},
                           {.type = "Hostname", .address = description.name}};
  Json status = berth::json::ReadDocument(json::Encode(node))["status"];
  status["nodeInfo"] = {{"architecture", kNodeArchitecture},
                        {"bootID", description.name},
                        {"containerRuntimeVersion", "simulated://1"},
                        {"kernelVersion", "simulated"},
                        {"kubeProxyVersion", ""},
                        {"kubeletVersion", api::kReferenceRelease},
                        {"machineID", description.name},
                        {"operatingSystem", "linux"},
                        {"osImage", "simulated"},
                        {"systemUUID", description.name}};
  return berth::json::DocumentText(Json({{"status", status}}));
}

api::Lease LeaseOf(const std::string& node, const std::string& node_uid, Time now) {
  api::Lease lease;
  lease.metadata.name = node;
  lease.metadata.namespace_ = "kube-node-lease";
  lease.metadata.owner_references = {
      {.api_version = "v1", .kind = "Node", .name = node, .uid = node_uid}};
  lease.spec.holder_identity = node;
  lease.spec.lease_duration_seconds = kLeaseSeconds;
  lease.spec.renew_time = MicroTime(now);
  return lease;
}

}  // namespace berth::simulation
