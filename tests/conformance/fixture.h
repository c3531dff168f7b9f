// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "api/apps.h"
#include "api/core.h"
#include "api/node.h"
#include "api/persistent_volume.h"
#include "api/pod.h"
#include "api/policy.h"
#include "api/scheduler_config.h"
#include "api/storage.h"
#include "base/error.h"

namespace berth::conformance {

// Step is one pod to schedule with the recorded result of kube-scheduler.
struct Step {
  std::shared_ptr<const api::Pod> pod;
  std::optional<std::string> node;  // sequences only: its recorded node; "" = none
  nlohmann::json expect;
};

// Fixture is one recorded case: a configuration, a cluster and one pod, or a sequence of pods.
struct Fixture {
  std::string name;
  api::KubeSchedulerConfiguration config;
  // In the order of their insertion into the cache.
  std::vector<std::shared_ptr<const api::Node>> nodes;
  std::vector<std::shared_ptr<const api::Pod>> pods;
  // Other objects that plugins read.
  std::vector<std::shared_ptr<const api::Namespace>> namespaces;
  std::vector<std::shared_ptr<const api::Service>> services;
  std::vector<std::shared_ptr<const api::ReplicationController>> replication_controllers;
  std::vector<std::shared_ptr<const api::ReplicaSet>> replica_sets;
  std::vector<std::shared_ptr<const api::StatefulSet>> stateful_sets;
  std::vector<std::shared_ptr<const api::PodDisruptionBudget>> budgets;
  std::vector<std::shared_ptr<const api::PersistentVolume>> volumes;
  std::vector<std::shared_ptr<const api::PersistentVolumeClaim>> claims;
  std::vector<std::shared_ptr<const api::StorageClass>> storage_classes;
  std::vector<std::shared_ptr<const api::CsiNode>> csi_nodes;
  std::vector<std::shared_ptr<const api::CsiDriver>> csi_drivers;
  std::vector<std::shared_ptr<const api::CsiStorageCapacity>> storage_capacities;
  std::vector<std::shared_ptr<const api::VolumeAttachment>> volume_attachments;
  bool is_sequence = false;
  std::vector<Step> steps;  // exactly one unless is_sequence
};

// Parses one line of a fixture file. An error means an invalid file, not a failed case; it
// describes the violation of the format.
Result<Fixture> ParseFixture(std::string_view line);

}  // namespace berth::conformance
