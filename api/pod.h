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

// A scheduler holds every pod of the cluster, so what few pods have stands behind Rare.
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
  static constexpr auto Fields() {
    return json::Object(
        json::Field("runAsNonRoot", &PodSecurityContext::run_as_non_root),
        json::Field("runAsUser", &PodSecurityContext::run_as_user),
        json::Field("runAsGroup", &PodSecurityContext::run_as_group),
        json::Field("fsGroup", &PodSecurityContext::fs_group),
        json::Field("fsGroupChangePolicy", &PodSecurityContext::fs_group_change_policy),
        json::Field("supplementalGroups", &PodSecurityContext::supplemental_groups),
        json::Field("seccompProfile", &PodSecurityContext::seccomp_profile));
  }
};

struct PodSchedulingGate {
  std::string name;

  bool operator==(const PodSchedulingGate&) const = default;
  static constexpr auto Fields() {
    return json::Object(json::Field("name", &PodSchedulingGate::name));
  }
};

struct PodResourceClaim {
  std::string name;
  std::optional<std::string> resource_claim_name;
  std::optional<std::string> resource_claim_template_name;

  bool operator==(const PodResourceClaim&) const = default;
  static constexpr auto Fields() {
    return json::Object(
        json::Field("name", &PodResourceClaim::name),
        json::Field("resourceClaimName", &PodResourceClaim::resource_claim_name),
        json::Field("resourceClaimTemplateName", &PodResourceClaim::resource_claim_template_name));
  }
};

struct PodSchedulingGroup {
  std::optional<std::string> pod_group_name;

  bool operator==(const PodSchedulingGroup&) const = default;
  static constexpr auto Fields() {
    return json::Object(json::Field("podGroupName", &PodSchedulingGroup::pod_group_name));
  }
};

struct PodSpec {
  std::string node_name;
  // Absent and {} differ: upstream treats a present selector as a constraint.
  Rare<StringMap> node_selector;
  Rare<Affinity> affinity;
  std::vector<Toleration> tolerations;
  std::vector<Container> init_containers;
  std::vector<Container> containers;
  Rare<ResourceList> overhead;
  Rare<ResourceRequirements> resources;  // of the pod as a whole
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
  static constexpr auto Fields() {
    return json::Object(
        json::Field("nodeName", &PodSpec::node_name),
        json::Field("nodeSelector", &PodSpec::node_selector),
        json::Field("affinity", &PodSpec::affinity),
        json::Field("tolerations", &PodSpec::tolerations),
        json::Field("initContainers", &PodSpec::init_containers),
        json::Field("containers", &PodSpec::containers),
        json::Field("overhead", &PodSpec::overhead), json::Field("resources", &PodSpec::resources),
        json::Field("schedulerName", &PodSpec::scheduler_name),
        json::Field("priority", &PodSpec::priority),
        json::Field("priorityClassName", &PodSpec::priority_class_name),
        json::Field("preemptionPolicy", &PodSpec::preemption_policy),
        json::Field("schedulingGates", &PodSpec::scheduling_gates),
        json::Field("schedulingGroup", &PodSpec::scheduling_group),
        json::Field("topologySpreadConstraints", &PodSpec::topology_spread_constraints),
        json::Field("volumes", &PodSpec::volumes),
        json::Field("resourceClaims", &PodSpec::resource_claims),
        json::Field("hostNetwork", &PodSpec::host_network),
        json::Field("hostUsers", &PodSpec::host_users),
        json::Field("serviceAccountName", &PodSpec::service_account_name),
        json::Field("automountServiceAccountToken", &PodSpec::automount_service_account_token),
        json::Field("terminationGracePeriodSeconds", &PodSpec::termination_grace_period_seconds),
        json::Field("securityContext", &PodSpec::security_context),
        json::Field("imagePullSecrets", &PodSpec::image_pull_secrets),
        json::Field("restartPolicy", &PodSpec::restart_policy),
        json::Field("dnsPolicy", &PodSpec::dns_policy),
        json::Field("runtimeClassName", &PodSpec::runtime_class_name));
  }
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
  static constexpr auto Fields() {
    return json::Object(json::Field("type", &PodCondition::type),
                        json::Field("status", &PodCondition::status),
                        json::Field("reason", &PodCondition::reason),
                        json::Field("message", &PodCondition::message),
                        json::Field("observedGeneration", &PodCondition::observed_generation),
                        json::Field("lastProbeTime", &PodCondition::last_probe_time),
                        json::Field("lastTransitionTime", &PodCondition::last_transition_time));
  }
};

// ContainerStatus holds what resource accounting reads: a container may have more, or less, than
// its spec asks for while it is resized in place.
struct ContainerStatus {
  std::string name;
  Rare<ResourceRequirements> resources;
  Rare<ResourceList> allocated_resources;

  bool operator==(const ContainerStatus&) const = default;
  static constexpr auto Fields() {
    return json::Object(json::Field("name", &ContainerStatus::name),
                        json::Field("resources", &ContainerStatus::resources),
                        json::Field("allocatedResources", &ContainerStatus::allocated_resources));
  }
};

struct PodResourceClaimStatus {
  std::string name;
  std::optional<std::string> resource_claim_name;

  bool operator==(const PodResourceClaimStatus&) const = default;
  static constexpr auto Fields() {
    return json::Object(
        json::Field("name", &PodResourceClaimStatus::name),
        json::Field("resourceClaimName", &PodResourceClaimStatus::resource_claim_name));
  }
};

struct ContainerExtendedResourceRequest {
  std::string container_name;
  std::string resource_name;
  std::string request_name;

  bool operator==(const ContainerExtendedResourceRequest&) const = default;
  static constexpr auto Fields() {
    return json::Object(
        json::Field("containerName", &ContainerExtendedResourceRequest::container_name),
        json::Field("resourceName", &ContainerExtendedResourceRequest::resource_name),
        json::Field("requestName", &ContainerExtendedResourceRequest::request_name));
  }
};

struct PodExtendedResourceClaimStatus {
  std::vector<ContainerExtendedResourceRequest> request_mappings;
  std::string resource_claim_name;

  bool operator==(const PodExtendedResourceClaimStatus&) const = default;
  static constexpr auto Fields() {
    return json::Object(
        json::Field("requestMappings", &PodExtendedResourceClaimStatus::request_mappings),
        json::Field("resourceClaimName", &PodExtendedResourceClaimStatus::resource_claim_name));
  }
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
  Rare<ResourceRequirements> resources;  // of the pod as a whole
  Rare<ResourceList> allocated_resources;
  std::string resize;

  bool operator==(const PodStatus&) const = default;
  static constexpr auto Fields() {
    return json::Object(
        json::Field("phase", &PodStatus::phase), json::Field("conditions", &PodStatus::conditions),
        json::Field("nominatedNodeName", &PodStatus::nominated_node_name),
        json::Field("reason", &PodStatus::reason), json::Field("message", &PodStatus::message),
        json::Field("observedGeneration", &PodStatus::observed_generation),
        json::Field("startTime", &PodStatus::start_time),
        json::Field("initContainerStatuses", &PodStatus::init_container_statuses),
        json::Field("containerStatuses", &PodStatus::container_statuses),
        json::Field("resourceClaimStatuses", &PodStatus::resource_claim_statuses),
        json::Field("extendedResourceClaimStatus", &PodStatus::extended_resource_claim_status),
        json::Field("resources", &PodStatus::resources),
        json::Field("allocatedResources", &PodStatus::allocated_resources),
        json::Field("resize", &PodStatus::resize));
  }
};

struct Pod {
  static constexpr ResourceInfo kResource{
      .group = "", .version = "v1", .kind = "Pod", .plural = "pods", .namespaced = true};

  ObjectMeta metadata;
  PodSpec spec;
  PodStatus status;

  bool operator==(const Pod&) const = default;
  static constexpr auto Fields() {
    return json::Object(json::Constant("apiVersion", "v1"), json::Constant("kind", "Pod"),
                        json::Field("metadata", &Pod::metadata), json::Field("spec", &Pod::spec),
                        json::Field("status", &Pod::status));
  }
};

// PodTemplateSpec is the pod a Deployment makes.
struct PodTemplateSpec {
  ObjectMeta metadata;
  PodSpec spec;

  bool operator==(const PodTemplateSpec&) const = default;
  static constexpr auto Fields() {
    return json::Object(json::Field("metadata", &PodTemplateSpec::metadata),
                        json::Field("spec", &PodTemplateSpec::spec));
  }
};

// Binding is posted to pods/NAME/binding; its metadata repeats the pod's name, namespace and uid.
struct Binding {
  static constexpr ResourceInfo kResource{
      .group = "", .version = "v1", .kind = "Binding", .plural = "bindings", .namespaced = true};

  ObjectMeta metadata;
  ObjectReference target;

  bool operator==(const Binding&) const = default;
  static constexpr auto Fields() {
    return json::Object(json::Constant("apiVersion", "v1"), json::Constant("kind", "Binding"),
                        json::Field("metadata", &Binding::metadata),
                        json::Field("target", &Binding::target));
  }
};

}  // namespace berth::api

BERTH_JSON_EXTERN(berth::api::PodSpec);
BERTH_JSON_EXTERN(berth::api::Pod);
BERTH_JSON_EXTERN(berth::api::Binding);
