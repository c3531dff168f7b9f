// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/meta.h"
#include "api/scheduler_config.h"
#include "base/json/json.h"
#include "crds/extender.h"
#include "crds/names.h"
#include "crds/run_spec.h"
#include "crds/scheduler_profile_status.h"

namespace berth::crds {

// SchedulerProfile is one named scheduler. Its structs are the only description of the resource:
// decoding, the CustomResourceDefinition and offline validation are derived from it.
//
// Invariant: a member's initialiser equals its `.Default(…)`, so that decoding a document here
// gives the object that the API server stores.

struct AssignSpec {
  std::optional<api::LabelSelector> namespace_selector;
  std::optional<api::LabelSelector> object_selector;
  bool operator==(const AssignSpec&) const = default;

  static const json::Type& JsonType();
};

struct SchedulerProfileSpec {
  api::Plugins plugins;
  std::vector<api::PluginConfig> plugin_config;
  std::vector<Extender> extenders;
  int32_t percentage_of_nodes_to_score = 0;
  int64_t pod_initial_backoff_seconds = 1;
  int64_t pod_max_backoff_seconds = 10;
  std::vector<std::string> aliases;
  std::optional<AssignSpec> assign;
  EngineSpec engine;
  std::string namespace_;  // absent: see PlaceByDefault
  DeploymentSpec deployment;
  LeaderElectionSpec leader_election;
  LoggingSpec logging;
  NetworkPolicySpec network_policy;
  RolloutSpec rollout;
  bool suspend = false;
  std::string deletion_policy = "Delete";
  bool operator==(const SchedulerProfileSpec&) const = default;

  static constexpr std::string_view kBackoffOrder =
      "podMaxBackoffSeconds must be greater than or equal to podInitialBackoffSeconds";
  static constexpr std::string_view kElectionNeeded =
      "leaderElection.leaderElect must be true with more than one replica: two schedulers with the "
      "same name would schedule the same pods";
  static constexpr std::string_view kBerthsExtenders =
      "extenders' podSelector, namespaceSelector and tlsConfig.secretName need engine Berth: "
      "KubeScheduler does not support them";
  static constexpr std::string_view kImmutable = "field is immutable";
  static constexpr std::string_view kNamespaceStays =
      "namespace can be neither added nor taken away: field is immutable";
  static constexpr std::string_view kEmptyAlias = "an alias must not be empty";
  static constexpr std::string_view kReservedAlias =
      "default-scheduler is reserved for the cluster's own scheduler";
  static constexpr std::string_view kBerthsAlias = "names that begin with berth.dev/ are reserved";

  static const json::Type& JsonType();
};

struct SchedulerProfile {
  api::ObjectMeta metadata;
  SchedulerProfileSpec spec;
  SchedulerProfileStatus status;
  // Not on the wire: the decoding error of the spec, if this is an outline (crds/outline.h).
  std::string unreadable;
  bool operator==(const SchedulerProfile&) const = default;

  static constexpr api::ResourceInfo kResource = api::ProfileRecord::kResource;

  static constexpr std::string_view kMalformedName =
      "metadata.name is the scheduler name of pods and part of object names: at most 52 lower case "
      "letters, digits and '-', beginning and ending with a letter or digit";
  static constexpr std::string_view kReservedName =
      "default-scheduler is reserved for the cluster's own scheduler";
  static constexpr std::string_view kOperatorsName =
      "operator is reserved: its objects would have the names of the operator's objects";
  static constexpr std::string_view kOwnNameAsAlias =
      "spec.aliases must not contain the profile's own name";

  static const json::Type& JsonType();
};

// Sets defaults like the API server: fills every empty field whose empty value is equivalent to
// absence. Numbers and booleans are unchanged.
SchedulerProfile WithDefaults(SchedulerProfile profile);

// Sets the namespace of a profile without one: the namespace where its scheduler already runs, or
// the installation's for a new profile. Otherwise an operator that is reinstalled into another
// namespace would run a second scheduler with the same name. The operator and the command line call
// it for every profile they read; all other code relies on the namespace.
void PlaceByDefault(SchedulerProfile& profile, std::string_view installation);

}  // namespace berth::crds
