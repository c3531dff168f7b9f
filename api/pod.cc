// SPDX-License-Identifier: Apache-2.0
#include "api/pod.h"

namespace berth::api {

const json::Type& PodSecurityContext::JsonType() {
  static const json::Type type = json::Describe<PodSecurityContext>(
      json::Object(json::Field("runAsNonRoot", &PodSecurityContext::run_as_non_root),
                   json::Field("runAsUser", &PodSecurityContext::run_as_user),
                   json::Field("runAsGroup", &PodSecurityContext::run_as_group),
                   json::Field("fsGroup", &PodSecurityContext::fs_group),
                   json::Field("fsGroupChangePolicy", &PodSecurityContext::fs_group_change_policy),
                   json::Field("supplementalGroups", &PodSecurityContext::supplemental_groups),
                   json::Field("seccompProfile", &PodSecurityContext::seccomp_profile)));
  return type;
}

const json::Type& PodSchedulingGate::JsonType() {
  static const json::Type type = json::Describe<PodSchedulingGate>(
      json::Object(json::Field("name", &PodSchedulingGate::name)));
  return type;
}

const json::Type& PodResourceClaim::JsonType() {
  static const json::Type type = json::Describe<PodResourceClaim>(json::Object(
      json::Field("name", &PodResourceClaim::name),
      json::Field("resourceClaimName", &PodResourceClaim::resource_claim_name),
      json::Field("resourceClaimTemplateName", &PodResourceClaim::resource_claim_template_name)));
  return type;
}

const json::Type& PodSchedulingGroup::JsonType() {
  static const json::Type type = json::Describe<PodSchedulingGroup>(
      json::Object(json::Field("podGroupName", &PodSchedulingGroup::pod_group_name)));
  return type;
}

const json::Type& PodSpec::JsonType() {
  static const json::Type type = json::Describe<PodSpec>(json::Object(
      json::Field("nodeName", &PodSpec::node_name),
      json::Field("nodeSelector", &PodSpec::node_selector).Atomic(),
      json::Field("affinity", &PodSpec::affinity),
      json::Field("tolerations", &PodSpec::tolerations),
      json::Field("initContainers", &PodSpec::init_containers).ListMap("name"),
      json::Field("containers", &PodSpec::containers).ListMap("name"),
      json::Field("overhead", &PodSpec::overhead), json::Field("resources", &PodSpec::resources),
      json::Field("schedulerName", &PodSpec::scheduler_name),
      json::Field("priority", &PodSpec::priority),
      json::Field("priorityClassName", &PodSpec::priority_class_name),
      json::Field("preemptionPolicy", &PodSpec::preemption_policy),
      json::Field("schedulingGates", &PodSpec::scheduling_gates),
      json::Field("schedulingGroup", &PodSpec::scheduling_group),
      json::Field("topologySpreadConstraints", &PodSpec::topology_spread_constraints)
          .ListMap("topologyKey,whenUnsatisfiable"),
      json::Field("volumes", &PodSpec::volumes).ListMap("name"),
      json::Field("resourceClaims", &PodSpec::resource_claims),
      json::Field("hostNetwork", &PodSpec::host_network),
      json::Field("hostUsers", &PodSpec::host_users),
      json::Field("serviceAccountName", &PodSpec::service_account_name),
      json::Field("automountServiceAccountToken", &PodSpec::automount_service_account_token),
      json::Field("terminationGracePeriodSeconds", &PodSpec::termination_grace_period_seconds),
      json::Field("securityContext", &PodSpec::security_context),
      json::Field("imagePullSecrets", &PodSpec::image_pull_secrets).ListMap("name"),
      json::Field("restartPolicy", &PodSpec::restart_policy),
      json::Field("dnsPolicy", &PodSpec::dns_policy),
      json::Field("runtimeClassName", &PodSpec::runtime_class_name)));
  return type;
}

const json::Type& PodCondition::JsonType() {
  static const json::Type type = json::Describe<PodCondition>(json::Object(
      json::Field("type", &PodCondition::type), json::Field("status", &PodCondition::status),
      json::Field("reason", &PodCondition::reason), json::Field("message", &PodCondition::message),
      json::Field("observedGeneration", &PodCondition::observed_generation),
      json::Field("lastProbeTime", &PodCondition::last_probe_time),
      json::Field("lastTransitionTime", &PodCondition::last_transition_time)));
  return type;
}

const json::Type& ContainerStatus::JsonType() {
  static const json::Type type = json::Describe<ContainerStatus>(
      json::Object(json::Field("name", &ContainerStatus::name),
                   json::Field("resources", &ContainerStatus::resources),
                   json::Field("allocatedResources", &ContainerStatus::allocated_resources)));
  return type;
}

const json::Type& PodResourceClaimStatus::JsonType() {
  static const json::Type type = json::Describe<PodResourceClaimStatus>(
      json::Object(json::Field("name", &PodResourceClaimStatus::name),
                   json::Field("resourceClaimName", &PodResourceClaimStatus::resource_claim_name)));
  return type;
}

const json::Type& ContainerExtendedResourceRequest::JsonType() {
  static const json::Type type = json::Describe<ContainerExtendedResourceRequest>(
      json::Object(json::Field("containerName", &ContainerExtendedResourceRequest::container_name),
                   json::Field("resourceName", &ContainerExtendedResourceRequest::resource_name),
                   json::Field("requestName", &ContainerExtendedResourceRequest::request_name)));
  return type;
}

const json::Type& PodExtendedResourceClaimStatus::JsonType() {
  static const json::Type type = json::Describe<PodExtendedResourceClaimStatus>(json::Object(
      json::Field("requestMappings", &PodExtendedResourceClaimStatus::request_mappings),
      json::Field("resourceClaimName", &PodExtendedResourceClaimStatus::resource_claim_name)));
  return type;
}

const json::Type& PodStatus::JsonType() {
  static const json::Type type = json::Describe<PodStatus>(json::Object(
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
      json::Field("resize", &PodStatus::resize)));
  return type;
}

const json::Type& Pod::JsonType() {
  static const json::Type type = json::Describe<Pod>(
      json::Object(json::Constant("apiVersion", "v1"), json::Constant("kind", "Pod"),
                   json::Field("metadata", &Pod::metadata), json::Field("spec", &Pod::spec),
                   json::Field("status", &Pod::status)));
  return type;
}

const json::Type& PodTemplateSpec::JsonType() {
  static const json::Type type = json::Describe<PodTemplateSpec>(
      json::Object(json::Field("metadata", &PodTemplateSpec::metadata),
                   json::Field("spec", &PodTemplateSpec::spec)));
  return type;
}

const json::Type& Binding::JsonType() {
  static const json::Type type = json::Describe<Binding>(json::Object(
      json::Constant("apiVersion", "v1"), json::Constant("kind", "Binding"),
      json::Field("metadata", &Binding::metadata), json::Field("target", &Binding::target)));
  return type;
}

}  // namespace berth::api
