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
  static const json::Type& JsonType();
};

struct DeploymentStrategy {
  std::string type;  // RollingUpdate (the default), Recreate
  std::optional<RollingUpdateDeployment> rolling_update;

  bool operator==(const DeploymentStrategy&) const = default;
  static const json::Type& JsonType();
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
  static const json::Type& JsonType();
};

struct DeploymentCondition {
  std::string type;  // Available, Progressing, ReplicaFailure
  std::string status;
  std::string reason;
  std::string message;
  Time last_update_time;
  Time last_transition_time;

  bool operator==(const DeploymentCondition&) const = default;
  static const json::Type& JsonType();
};

struct DeploymentStatus {
  int64_t observed_generation = 0;
  int32_t replicas = 0;
  int32_t updated_replicas = 0;
  int32_t ready_replicas = 0;
  int32_t available_replicas = 0;
  int32_t unavailable_replicas = 0;
  std::optional<int32_t> collision_count;  // number of name collisions of ReplicaSets
  std::vector<DeploymentCondition> conditions;

  bool operator==(const DeploymentStatus&) const = default;
  static const json::Type& JsonType();
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
  static const json::Type& JsonType();
};

// ReplicaSetSpec has only the selector; nothing else of ReplicaSets and StatefulSets is read.
struct ReplicaSetSpec {
  std::optional<LabelSelector> selector;

  bool operator==(const ReplicaSetSpec&) const = default;
  static const json::Type& JsonType();
};

struct ReplicaSet {
  static constexpr ResourceInfo kResource{.group = "apps",
                                          .version = "v1",
                                          .kind = "ReplicaSet",
                                          .plural = "replicasets",
                                          .namespaced = true};

  ObjectMeta metadata;
  ReplicaSetSpec spec;

  bool operator==(const ReplicaSet&) const = default;
  static const json::Type& JsonType();
};

struct StatefulSetSpec {
  std::optional<LabelSelector> selector;

  bool operator==(const StatefulSetSpec&) const = default;
  static const json::Type& JsonType();
};

struct StatefulSet {
  static constexpr ResourceInfo kResource{.group = "apps",
                                          .version = "v1",
                                          .kind = "StatefulSet",
                                          .plural = "statefulsets",
                                          .namespaced = true};

  ObjectMeta metadata;
  StatefulSetSpec spec;

  bool operator==(const StatefulSet&) const = default;
  static const json::Type& JsonType();
};

// ControllerRevision stores an old state. Its data is immutable.
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
  static const json::Type& JsonType();
};

}  // namespace berth::api
