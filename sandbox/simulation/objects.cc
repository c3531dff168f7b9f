// SPDX-License-Identifier: Apache-2.0
#include "sandbox/simulation/objects.h"

#include "api/conditions.h"

namespace berth::simulation {

const json::Type& DeploymentSpec::JsonType() {
  static const json::Type type = json::Describe<DeploymentSpec>(json::Object(
      json::Field("replicas", &DeploymentSpec::replicas),
      json::Field("selector", &DeploymentSpec::selector),
      json::Field("template", &DeploymentSpec::template_).PreserveUnknown(),
      json::Field("strategy", &DeploymentSpec::strategy),
      json::Field("minReadySeconds", &DeploymentSpec::min_ready_seconds),
      json::Field("revisionHistoryLimit", &DeploymentSpec::revision_history_limit),
      json::Field("progressDeadlineSeconds", &DeploymentSpec::progress_deadline_seconds),
      json::Field("paused", &DeploymentSpec::paused)));
  return type;
}

const json::Type& Deployment::JsonType() {
  static const json::Type type = json::Describe<Deployment>(json::Object(
      json::Constant("apiVersion", "apps/v1"), json::Constant("kind", "Deployment"),
      json::Field("metadata", &Deployment::metadata), json::Field("spec", &Deployment::spec),
      json::Field("status", &Deployment::status)));
  return type;
}

const json::Type& ReplicaSetSpec::JsonType() {
  static const json::Type type = json::Describe<ReplicaSetSpec>(
      json::Object(json::Field("replicas", &ReplicaSetSpec::replicas),
                   json::Field("selector", &ReplicaSetSpec::selector),
                   json::Field("template", &ReplicaSetSpec::template_).PreserveUnknown(),
                   json::Field("minReadySeconds", &ReplicaSetSpec::min_ready_seconds)));
  return type;
}

const json::Type& ReplicaSetStatus::JsonType() {
  static const json::Type type = json::Describe<ReplicaSetStatus>(
      json::Object(json::Field("observedGeneration", &ReplicaSetStatus::observed_generation),
                   json::Field("replicas", &ReplicaSetStatus::replicas).Required(),
                   json::Field("fullyLabeledReplicas", &ReplicaSetStatus::fully_labeled_replicas),
                   json::Field("readyReplicas", &ReplicaSetStatus::ready_replicas),
                   json::Field("availableReplicas", &ReplicaSetStatus::available_replicas)));
  return type;
}

const json::Type& ReplicaSet::JsonType() {
  static const json::Type type = json::Describe<ReplicaSet>(json::Object(
      json::Constant("apiVersion", "apps/v1"), json::Constant("kind", "ReplicaSet"),
      json::Field("metadata", &ReplicaSet::metadata), json::Field("spec", &ReplicaSet::spec),
      json::Field("status", &ReplicaSet::status)));
  return type;
}

const json::Type& Secret::JsonType() {
  static const json::Type type = json::Describe<Secret>(
      json::Object(json::Constant("apiVersion", "v1"), json::Constant("kind", "Secret"),
                   json::Field("metadata", &Secret::metadata), json::Field("data", &Secret::data)));
  return type;
}

bool IsActive(const api::Pod& pod) {
  return pod.status.phase != "Succeeded" && pod.status.phase != "Failed" &&
         !pod.metadata.deletion_timestamp;
}

std::optional<Time> ReadySince(const api::Pod& pod) {
  const api::PodCondition* ready = api::FindCondition(pod.status.conditions, "Ready");
  if (ready == nullptr || ready->status != "True") return std::nullopt;
  return ready->last_transition_time;
}

bool IsControlledBy(const api::ObjectMeta& metadata, const std::string& uid) {
  const api::OwnerReference* owner = api::ControllerOf(metadata);
  return owner != nullptr && owner->uid == uid;
}

}  // namespace berth::simulation
