// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/meta.h"
#include "base/json/json.h"
#include "base/time.h"

namespace berth::crds {

// Condition types of a SchedulerProfile. Reconciling and Stalled are abnormal-true: present only
// while true, like Suspended and Paused.
inline constexpr std::string_view kConditionValid = "Valid";
inline constexpr std::string_view kConditionAvailable = "Available";
inline constexpr std::string_view kConditionConfigApplied = "ConfigApplied";
inline constexpr std::string_view kConditionReady = "Ready";
inline constexpr std::string_view kConditionSuspended = "Suspended";
inline constexpr std::string_view kConditionPaused = "Paused";
inline constexpr std::string_view kConditionReconciling = "Reconciling";
inline constexpr std::string_view kConditionStalled = "Stalled";

// ObjectRecord identifies an object that the operator wrote for the profile, in the namespace of the
// scheduler if its kind is namespaced.
struct ObjectRecord {
  std::string kind;
  std::string name;
  std::string uid;
  bool operator==(const ObjectRecord&) const = default;

  static const json::Type& JsonType();
};

struct SchedulerStatus {
  std::string namespace_;
  std::string deployment;
  std::optional<int32_t> replicas;  // 0 is written; absent: unknown
  std::optional<int32_t> ready_replicas;
  std::vector<std::string> names;
  std::string leader;
  std::string config_hash;
  std::string applied_config_hash;
  std::vector<ObjectRecord> objects;
  std::string revision;
  bool operator==(const SchedulerStatus&) const = default;

  static const json::Type& JsonType();
};

struct PluginStatus {
  std::string name;
  std::vector<std::string> points;
  int32_t weight = 0;
  bool ready = false;
  std::string reason;
  bool operator==(const PluginStatus&) const = default;

  static const json::Type& JsonType();
};

struct HistoryEntry {
  std::string revision;
  int64_t generation = 0;
  std::string config_hash;
  Time time;
  std::string result;
  bool operator==(const HistoryEntry&) const = default;

  static const json::Type& JsonType();
};

// SchedulerProfileStatus is written only by the operator. observedGeneration -1: not observed yet.
struct SchedulerProfileStatus {
  int64_t observed_generation = -1;
  std::vector<api::Condition> conditions;
  SchedulerStatus scheduler;
  std::vector<PluginStatus> plugins;
  std::vector<std::string> capabilities;
  std::vector<std::string> warnings;
  std::optional<int32_t> plugin_count;
  std::optional<int64_t> pending_pods;
  std::vector<HistoryEntry> history;
  bool operator==(const SchedulerProfileStatus&) const = default;

  static const json::Type& JsonType();
};

}  // namespace berth::crds
