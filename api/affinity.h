// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "api/meta.h"

namespace berth::api {

struct NodeSelectorRequirement {
  std::string key;
  std::string op;
  std::vector<std::string> values;

  bool operator==(const NodeSelectorRequirement&) const = default;
  static const json::Type& JsonType();
};

// NodeSelectorTerm matches if all its requirements match. A term without requirements matches no
// node.
struct NodeSelectorTerm {
  std::vector<NodeSelectorRequirement> match_expressions;
  std::vector<NodeSelectorRequirement> match_fields;

  bool operator==(const NodeSelectorTerm&) const = default;
  static const json::Type& JsonType();
};

// NodeSelector matches if any term matches. api/labels.h compiles it.
struct NodeSelector {
  std::vector<NodeSelectorTerm> node_selector_terms;

  bool operator==(const NodeSelector&) const = default;
  static const json::Type& JsonType();
};

struct PreferredSchedulingTerm {
  int32_t weight = 0;
  NodeSelectorTerm preference;

  bool operator==(const PreferredSchedulingTerm&) const = default;
  static const json::Type& JsonType();
};

struct NodeAffinity {
  std::optional<NodeSelector> required;
  std::vector<PreferredSchedulingTerm> preferred;

  bool operator==(const NodeAffinity&) const = default;
  static const json::Type& JsonType();
};

struct PodAffinityTerm {
  Rare<LabelSelector> label_selector;
  Rare<LabelSelector> namespace_selector;
  std::vector<std::string> namespaces;
  std::string topology_key;
  std::vector<std::string> match_label_keys;
  std::vector<std::string> mismatch_label_keys;

  bool operator==(const PodAffinityTerm&) const = default;
  static const json::Type& JsonType();
};

struct WeightedPodAffinityTerm {
  int32_t weight = 0;
  PodAffinityTerm pod_affinity_term;

  bool operator==(const WeightedPodAffinityTerm&) const = default;
  static const json::Type& JsonType();
};

// PodAffinity is also the type of podAntiAffinity, which has the same fields.
struct PodAffinity {
  std::vector<PodAffinityTerm> required;
  std::vector<WeightedPodAffinityTerm> preferred;

  bool operator==(const PodAffinity&) const = default;
  static const json::Type& JsonType();
};

using PodAntiAffinity = PodAffinity;

struct Affinity {
  Rare<NodeAffinity> node_affinity;
  Rare<PodAffinity> pod_affinity;
  Rare<PodAntiAffinity> pod_anti_affinity;

  bool operator==(const Affinity&) const = default;
  static const json::Type& JsonType();
};

struct Toleration {
  std::string key;
  std::string op;
  std::string value;
  std::string effect;
  std::optional<int64_t> toleration_seconds;

  bool operator==(const Toleration&) const = default;
  static const json::Type& JsonType();
};

struct TopologySpreadConstraint {
  int32_t max_skew = 0;
  std::string topology_key;
  std::string when_unsatisfiable;  // DoNotSchedule, ScheduleAnyway
  Rare<LabelSelector> label_selector;
  std::optional<int32_t> min_domains;
  std::optional<std::string> node_affinity_policy;  // Honor (the default), Ignore
  std::optional<std::string> node_taints_policy;    // Honor, Ignore (the default)
  std::vector<std::string> match_label_keys;

  bool operator==(const TopologySpreadConstraint&) const = default;
  static const json::Type& JsonType();
};

}  // namespace berth::api
