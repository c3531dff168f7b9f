// SPDX-License-Identifier: Apache-2.0
#include "api/apps.h"

namespace berth::api {

const json::Type& RollingUpdateDeployment::JsonType() {
  static const json::Type type = json::Describe<RollingUpdateDeployment>(
      json::Object(json::Field("maxUnavailable", &RollingUpdateDeployment::max_unavailable),
                   json::Field("maxSurge", &RollingUpdateDeployment::max_surge)));
  return type;
}

const json::Type& DeploymentStrategy::JsonType() {
  static const json::Type type = json::Describe<DeploymentStrategy>(
      json::Object(json::Field("type", &DeploymentStrategy::type),
                   json::Field("rollingUpdate", &DeploymentStrategy::rolling_update)));
  return type;
}

const json::Type& DeploymentSpec::JsonType() {
  static const json::Type type = json::Describe<DeploymentSpec>(json::Object(
      json::Field("replicas", &DeploymentSpec::replicas),
      json::Field("selector", &DeploymentSpec::selector),
      json::Field("template", &DeploymentSpec::template_),
      json::Field("strategy", &DeploymentSpec::strategy),
      json::Field("minReadySeconds", &DeploymentSpec::min_ready_seconds),
      json::Field("revisionHistoryLimit", &DeploymentSpec::revision_history_limit),
      json::Field("progressDeadlineSeconds", &DeploymentSpec::progress_deadline_seconds)));
  return type;
}

const json::Type& DeploymentCondition::JsonType() {
  static const json::Type type = json::Describe<DeploymentCondition>(
      json::Object(json::Field("type", &DeploymentCondition::type),
                   json::Field("status", &DeploymentCondition::status),
                   json::Field("reason", &DeploymentCondition::reason),
                   json::Field("message", &DeploymentCondition::message),
                   json::Field("lastUpdateTime", &DeploymentCondition::last_update_time),
                   json::Field("lastTransitionTime", &DeploymentCondition::last_transition_time)));
  return type;
}

const json::Type& DeploymentStatus::JsonType() {
  static const json::Type type = json::Describe<DeploymentStatus>(
      json::Object(json::Field("observedGeneration", &DeploymentStatus::observed_generation),
                   json::Field("replicas", &DeploymentStatus::replicas),
                   json::Field("updatedReplicas", &DeploymentStatus::updated_replicas),
                   json::Field("readyReplicas", &DeploymentStatus::ready_replicas),
                   json::Field("availableReplicas", &DeploymentStatus::available_replicas),
                   json::Field("unavailableReplicas", &DeploymentStatus::unavailable_replicas),
                   json::Field("collisionCount", &DeploymentStatus::collision_count),
                   json::Field("conditions", &DeploymentStatus::conditions)));
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
      json::Object(json::Field("selector", &ReplicaSetSpec::selector)));
  return type;
}

const json::Type& ReplicaSet::JsonType() {
  static const json::Type type = json::Describe<ReplicaSet>(json::Object(
      json::Constant("apiVersion", "apps/v1"), json::Constant("kind", "ReplicaSet"),
      json::Field("metadata", &ReplicaSet::metadata), json::Field("spec", &ReplicaSet::spec)));
  return type;
}

const json::Type& StatefulSetSpec::JsonType() {
  static const json::Type type = json::Describe<StatefulSetSpec>(
      json::Object(json::Field("selector", &StatefulSetSpec::selector)));
  return type;
}

const json::Type& StatefulSet::JsonType() {
  static const json::Type type = json::Describe<StatefulSet>(json::Object(
      json::Constant("apiVersion", "apps/v1"), json::Constant("kind", "StatefulSet"),
      json::Field("metadata", &StatefulSet::metadata), json::Field("spec", &StatefulSet::spec)));
  return type;
}

const json::Type& ControllerRevision::JsonType() {
  static const json::Type type = json::Describe<ControllerRevision>(json::Object(
      json::Constant("apiVersion", "apps/v1"), json::Constant("kind", "ControllerRevision"),
      json::Field("metadata", &ControllerRevision::metadata),
      json::Field("data", &ControllerRevision::data).PreserveUnknown(),
      json::Field("revision", &ControllerRevision::revision).Required()));
  return type;
}

}  // namespace berth::api
