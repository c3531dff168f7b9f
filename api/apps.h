// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "api/meta.h"
#include "api/pod.h"
#include "base/int_or_string.h"

namespace berth::api {

struct RollingUpdateDeployment {
  std::optional<IntOrString> max_unavailable;
  std::optional<IntOrString> max_surge;

  bool operator==(const RollingUpdateDeployment&) const = default;
  static constexpr auto Fields() {
    return json::Object(json::Field("maxUnavailable", &RollingUpdateDeployment::max_unavailable),
                        json::Field("maxSurge", &RollingUpdateDeployment::max_surge));
  }
};

struct DeploymentStrategy {
  std::string type;  // RollingUpdate (the default), Recreate
  std::optional<RollingUpdateDeployment> rolling_update;

  bool operator==(const DeploymentStrategy&) const = default;
  static constexpr auto Fields() {
    return json::Object(json::Field("type", &DeploymentStrategy::type),
                        json::Field("rollingUpdate", &DeploymentStrategy::rolling_update));
  }
};

struct DeploymentSpec {
  std::optional<int32_t> replicas;
  std::optional<LabelSelector> selector;
  PodTemplateSpec template_;
  DeploymentStrategy strategy;
  std::optional<int32_t> min_ready_seconds;
  std::optional<int32_t> revision_history_limit;
  std::optional<int32_t> progress_deadline_seconds;

  bool operator==(const DeploymentSpec&) const = default;
  static constexpr auto Fields() {
    return json::Object(
        json::Field("replicas", &DeploymentSpec::replicas),
        json::Field("selector", &DeploymentSpec::selector),
        json::Field("template", &DeploymentSpec::template_),
        json::Field("strategy", &DeploymentSpec::strategy),
        json::Field("minReadySeconds", &DeploymentSpec::min_ready_seconds),
        json::Field("revisionHistoryLimit", &DeploymentSpec::revision_history_limit),
        json::Field("progressDeadlineSeconds", &DeploymentSpec::progress_deadline_seconds));
  }
};

struct DeploymentCondition {
  std::string type;  // Available, Progressing, ReplicaFailure
  std::string status;
  std::string reason;
  std::string message;
  Time last_update_time;
  Time last_transition_time;

  bool operator==(const DeploymentCondition&) const = default;
  static constexpr auto Fields() {
    return json::Object(
        json::Field("type", &DeploymentCondition::type),
        json::Field("status", &DeploymentCondition::status),
        json::Field("reason", &DeploymentCondition::reason),
        json::Field("message", &DeploymentCondition::message),
        json::Field("lastUpdateTime", &DeploymentCondition::last_update_time),
        json::Field("lastTransitionTime", &DeploymentCondition::last_transition_time));
  }
};

struct DeploymentStatus {
  int64_t observed_generation = 0;
  int32_t replicas = 0;
  int32_t updated_replicas = 0;
  int32_t ready_replicas = 0;
  int32_t available_replicas = 0;
  int32_t unavailable_replicas = 0;
  std::vector<DeploymentCondition> conditions;

  bool operator==(const DeploymentStatus&) const = default;
  static constexpr auto Fields() {
    return json::Object(json::Field("observedGeneration", &DeploymentStatus::observed_generation),
                        json::Field("replicas", &DeploymentStatus::replicas),
                        json::Field("updatedReplicas", &DeploymentStatus::updated_replicas),
                        json::Field("readyReplicas", &DeploymentStatus::ready_replicas),
                        json::Field("availableReplicas", &DeploymentStatus::available_replicas),
                        json::Field("unavailableReplicas", &DeploymentStatus::unavailable_replicas),
                        json::Field("conditions", &DeploymentStatus::conditions));
  }
};

struct Deployment {
  static constexpr ResourceInfo kResource{.group = "apps",
                                          .version = "v1",
                                          .kind = "Deployment",
                                          .plural = "deployments",
                                          .namespaced = true};

  ObjectMeta metadata;
  DeploymentSpec spec;
  DeploymentStatus status;

  bool operator==(const Deployment&) const = default;
  static constexpr auto Fields() {
    return json::Object(
        json::Constant("apiVersion", "apps/v1"), json::Constant("kind", "Deployment"),
        json::Field("metadata", &Deployment::metadata), json::Field("spec", &Deployment::spec),
        json::Field("status", &Deployment::status));
  }
};

// ControllerRevision keeps an old state; its data never changes once written.
struct ControllerRevision {
  static constexpr ResourceInfo kResource{.group = "apps",
                                          .version = "v1",
                                          .kind = "ControllerRevision",
                                          .plural = "controllerrevisions",
                                          .namespaced = true};

  ObjectMeta metadata;
  json::Raw data;
  int64_t revision = 0;

  bool operator==(const ControllerRevision&) const = default;
  static constexpr auto Fields() {
    return json::Object(json::Constant("apiVersion", "apps/v1"),
                        json::Constant("kind", "ControllerRevision"),
                        json::Field("metadata", &ControllerRevision::metadata),
                        json::Field("data", &ControllerRevision::data).PreserveUnknown(),
                        json::Field("revision", &ControllerRevision::revision).Required());
  }
};

}  // namespace berth::api

BERTH_JSON_EXTERN(berth::api::Deployment);
BERTH_JSON_EXTERN(berth::api::ControllerRevision);
