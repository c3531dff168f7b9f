// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "api/affinity.h"
#include "api/container.h"
#include "api/meta.h"
#include "api/volume.h"

// The structs of this header and of container.h hold a subset of the API's fields. A scheduler
// caches every pod of the cluster, so rarely set fields are Rare (base/rare.h).
namespace berth::api {

struct PodSecurityContext {
  std::optional<bool> run_as_non_root;
  std::optional<int64_t> run_as_user;
  std::optional<int64_t> run_as_group;
  std::optional<int64_t> fs_group;
  std::optional<std::string> fs_group_change_policy;
  std::vector<int64_t> supplemental_groups;
  std::optional<SeccompProfile> seccomp_profile;

  bool operator==(const PodSecurityContext&) const = default;
  static const json::Type& JsonType();
};

struct PodSchedulingGate {
  std::string name;

  bool operator==(const PodSchedulingGate&) const = default;
  static const json::Type& JsonType();
};

struct PodResourceClaim {
  std::string name;
  std::optional<std::string> resource_claim_name;
  std::optional<std::string> resource_claim_template_name;

  bool operator==(const PodResourceClaim&) const = default;
  static const json::Type& JsonType();
};

struct PodSchedulingGroup {
  std::optional<std::string> pod_group_name;

  bool operator==(const PodSchedulingGroup&) const = default;
  static const json::Type& JsonType();
};

struct PodSpec {
  std::string node_name;
  // Absent and {} match all nodes, but only without a selector the plugin NodeAffinity is skipped.
  Rare<StringMap> node_selector;
  Rare<Affinity> affinity;
  std::vector<Toleration> tolerations;
  std::vector<Container> init_containers;
  std::vector<Container> containers;
  Rare<ResourceList> overhead;
  Rare<ResourceRequirements> resources;  // pod-level resources
  std::string scheduler_name;
  std::optional<int32_t> priority;
  std::string priority_class_name;
  std::optional<std::string> preemption_policy;  // PreemptLowerPriority (the default), Never
  std::vector<PodSchedulingGate> scheduling_gates;
  Rare<PodSchedulingGroup> scheduling_group;
  std::vector<TopologySpreadConstraint> topology_spread_constraints;
  std::vector<Volume> volumes;
  std::vector<PodResourceClaim> resource_claims;
  bool host_network = false;
  std::optional<bool> host_users;
  std::string service_account_name;
  std::optional<bool> automount_service_account_token;
  std::optional<int64_t> termination_grace_period_seconds;
  Rare<PodSecurityContext> security_context;
  std::vector<LocalObjectReference> image_pull_secrets;
  std::string restart_policy;
  std::string dns_policy;
  Rare<std::string> runtime_class_name;

  bool operator==(const PodSpec&) const = default;
  static const json::Type& JsonType();
};

struct PodCondition {
  std::string type;
  std::string status;
  std::string reason;
  std::string message;
  int64_t observed_generation = 0;
  Time last_probe_time;
  Time last_transition_time;

  bool operator==(const PodCondition&) const = default;
  static const json::Type& JsonType();
};

// ContainerStatus holds the fields for resource accounting. During an in-place resize the allocated
// resources may differ from the spec.
struct ContainerStatus {
  std::string name;
  Rare<ResourceRequirements> resources;
  Rare<ResourceList> allocated_resources;

  bool operator==(const ContainerStatus&) const = default;
  static const json::Type& JsonType();
};

struct PodResourceClaimStatus {
  std::string name;
  std::optional<std::string> resource_claim_name;

  bool operator==(const PodResourceClaimStatus&) const = default;
  static const json::Type& JsonType();
};

struct ContainerExtendedResourceRequest {
  std::string container_name;
  std::string resource_name;
  std::string request_name;

  bool operator==(const ContainerExtendedResourceRequest&) const = default;
  static const json::Type& JsonType();
};

struct PodExtendedResourceClaimStatus {
  std::vector<ContainerExtendedResourceRequest> request_mappings;
  std::string resource_claim_name;

  bool operator==(const PodExtendedResourceClaimStatus&) const = default;
  static const json::Type& JsonType();
};

struct PodStatus {
  std::string phase;
  std::vector<PodCondition> conditions;
  std::string nominated_node_name;
  std::string reason;
  std::string message;
  int64_t observed_generation = 0;
  Time start_time;
  std::vector<ContainerStatus> init_container_statuses;
  std::vector<ContainerStatus> container_statuses;
  std::vector<PodResourceClaimStatus> resource_claim_statuses;
  Rare<PodExtendedResourceClaimStatus> extended_resource_claim_status;
  Rare<ResourceRequirements> resources;  // pod-level resources
  Rare<ResourceList> allocated_resources;
  std::string resize;

  bool operator==(const PodStatus&) const = default;
  static const json::Type& JsonType();
};

struct Pod {
  static constexpr ResourceInfo kResource{
      .group = "", .version = "v1", .kind = "Pod", .plural = "pods", .namespaced = true};

  ObjectMeta metadata;
  PodSpec spec;
  PodStatus status;

  bool operator==(const Pod&) const = default;
  static const json::Type& JsonType();
};

// PodTemplateSpec is the pod template of a Deployment.
struct PodTemplateSpec {
  ObjectMeta metadata;
  PodSpec spec;

  bool operator==(const PodTemplateSpec&) const = default;
  static const json::Type& JsonType();
};

// Binding is posted to pods/NAME/binding. Its metadata repeats the pod's name, namespace and uid.
struct Binding {
  static constexpr ResourceInfo kResource{
      .group = "", .version = "v1", .kind = "Binding", .plural = "bindings", .namespaced = true};

  ObjectMeta metadata;
  ObjectReference target;

  bool operator==(const Binding&) const = default;
  static const json::Type& JsonType();
};

}  // namespace berth::api
