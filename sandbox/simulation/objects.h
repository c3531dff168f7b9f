// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "api/apps.h"
#include "api/labels.h"
#include "api/meta.h"
#include "api/pod.h"
#include "base/json/type.h"

// The kinds as controllers use them. Fields that a controller reads are typed. The pod template,
// which it only passes on, remains JSON text, so that fields unknown to Berth are not lost.
namespace berth::simulation {

struct DeploymentSpec {
  int32_t replicas = 1;
  api::LabelSelector selector;
  json::Raw template_;
  api::DeploymentStrategy strategy;
  int32_t min_ready_seconds = 0;
  std::optional<int32_t> revision_history_limit;
  std::optional<int32_t> progress_deadline_seconds;
  bool paused = false;

  static const json::Type& JsonType();
};

struct Deployment {
  static constexpr api::ResourceInfo kResource = api::Deployment::kResource;

  api::ObjectMeta metadata;
  DeploymentSpec spec;
  api::DeploymentStatus status;

  static const json::Type& JsonType();
};

struct ReplicaSetSpec {
  int32_t replicas = 1;
  api::LabelSelector selector;
  json::Raw template_;
  int32_t min_ready_seconds = 0;

  static const json::Type& JsonType();
};

struct ReplicaSetStatus {
  int64_t observed_generation = 0;
  int32_t replicas = 0;
  int32_t fully_labeled_replicas = 0;
  int32_t ready_replicas = 0;
  int32_t available_replicas = 0;

  bool operator==(const ReplicaSetStatus&) const = default;
  static const json::Type& JsonType();
};

struct ReplicaSet {
  static constexpr api::ResourceInfo kResource{.group = "apps",
                                               .version = "v1",
                                               .kind = "ReplicaSet",
                                               .plural = "replicasets",
                                               .namespaced = true};

  api::ObjectMeta metadata;
  ReplicaSetSpec spec;
  ReplicaSetStatus status;

  static const json::Type& JsonType();
};

// Secret holds its values in base64, as on the wire.
struct Secret {
  static constexpr api::ResourceInfo kResource{
      .group = "", .version = "v1", .kind = "Secret", .plural = "secrets", .namespaced = true};

  api::ObjectMeta metadata;
  api::StringMap data;

  static const json::Type& JsonType();
};

// Reports whether the pod counts as a replica: it has not ended and is not being deleted.
bool IsActive(const api::Pod& pod);

// Returns the time when the pod's Ready condition became True; nullopt while it is not.
std::optional<Time> ReadySince(const api::Pod& pod);

// Reports whether the object's controller has that uid.
bool IsControlledBy(const api::ObjectMeta& metadata, const std::string& uid);

}  // namespace berth::simulation
