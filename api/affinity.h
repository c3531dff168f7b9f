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
  static constexpr auto Fields() {
    return json::Object(
        json::Field("key", &NodeSelectorRequirement::key).MaxLength(317).Required(),
        json::Field("operator", &NodeSelectorRequirement::op)
            .OneOf("In|NotIn|Exists|DoesNotExist|Gt|Lt")
            .Required(),
        json::Field("values", &NodeSelectorRequirement::values).MaxItems(256).ItemMaxLength(253));
  }
};

// NodeSelectorTerm is true when all its requirements are; one without any is true of no node.
struct NodeSelectorTerm {
  std::vector<NodeSelectorRequirement> match_expressions;
  std::vector<NodeSelectorRequirement> match_fields;

  bool operator==(const NodeSelectorTerm&) const = default;
  static constexpr auto Fields() {
    return json::Object(
        json::Field("matchExpressions", &NodeSelectorTerm::match_expressions).MaxItems(64),
        json::Field("matchFields", &NodeSelectorTerm::match_fields).MaxItems(64));
  }
};

// NodeSelector is true when any term is; api/labels.h compiles it.
struct NodeSelector {
  std::vector<NodeSelectorTerm> node_selector_terms;

  bool operator==(const NodeSelector&) const = default;
  static constexpr auto Fields() {
    return json::Object(json::Field("nodeSelectorTerms", &NodeSelector::node_selector_terms)
                            .MaxItems(64)
                            .Required());
  }
};

struct PreferredSchedulingTerm {
  int32_t weight = 0;
  NodeSelectorTerm preference;

  bool operator==(const PreferredSchedulingTerm&) const = default;
  static constexpr auto Fields() {
    return json::Object(json::Field("weight", &PreferredSchedulingTerm::weight).Required(),
                        json::Field("preference", &PreferredSchedulingTerm::preference).Required());
  }
};

struct NodeAffinity {
  std::optional<NodeSelector> required;
  std::vector<PreferredSchedulingTerm> preferred;

  bool operator==(const NodeAffinity&) const = default;
  static constexpr auto Fields() {
    return json::Object(
        json::Field("requiredDuringSchedulingIgnoredDuringExecution", &NodeAffinity::required),
        json::Field("preferredDuringSchedulingIgnoredDuringExecution", &NodeAffinity::preferred)
            .MaxItems(64));
  }
};

struct PodAffinityTerm {
  Rare<LabelSelector> label_selector;
  Rare<LabelSelector> namespace_selector;
  std::vector<std::string> namespaces;
  std::string topology_key;
  std::vector<std::string> match_label_keys;
  std::vector<std::string> mismatch_label_keys;

  bool operator==(const PodAffinityTerm&) const = default;
  static constexpr auto Fields() {
    return json::Object(
        json::Field("labelSelector", &PodAffinityTerm::label_selector),
        json::Field("namespaceSelector", &PodAffinityTerm::namespace_selector),
        json::Field("namespaces", &PodAffinityTerm::namespaces).MaxItems(64).ItemMaxLength(63),
        json::Field("topologyKey", &PodAffinityTerm::topology_key).MaxLength(317).Required(),
        json::Field("matchLabelKeys", &PodAffinityTerm::match_label_keys)
            .MaxItems(64)
            .ItemMaxLength(317),
        json::Field("mismatchLabelKeys", &PodAffinityTerm::mismatch_label_keys)
            .MaxItems(64)
            .ItemMaxLength(317));
  }
};

struct WeightedPodAffinityTerm {
  int32_t weight = 0;
  PodAffinityTerm pod_affinity_term;

  bool operator==(const WeightedPodAffinityTerm&) const = default;
  static constexpr auto Fields() {
    return json::Object(
        json::Field("weight", &WeightedPodAffinityTerm::weight).Required(),
        json::Field("podAffinityTerm", &WeightedPodAffinityTerm::pod_affinity_term).Required());
  }
};

// PodAffinity serves podAntiAffinity too: the API gives both the same fields.
struct PodAffinity {
  std::vector<PodAffinityTerm> required;
  std::vector<WeightedPodAffinityTerm> preferred;

  bool operator==(const PodAffinity&) const = default;
  static constexpr auto Fields() {
    return json::Object(
        json::Field("requiredDuringSchedulingIgnoredDuringExecution", &PodAffinity::required)
            .MaxItems(64),
        json::Field("preferredDuringSchedulingIgnoredDuringExecution", &PodAffinity::preferred)
            .MaxItems(64));
  }
};

using PodAntiAffinity = PodAffinity;

struct Affinity {
  Rare<NodeAffinity> node_affinity;
  Rare<PodAffinity> pod_affinity;
  Rare<PodAntiAffinity> pod_anti_affinity;

  bool operator==(const Affinity&) const = default;
  static constexpr auto Fields() {
    return json::Object(json::Field("nodeAffinity", &Affinity::node_affinity),
                        json::Field("podAffinity", &Affinity::pod_affinity),
                        json::Field("podAntiAffinity", &Affinity::pod_anti_affinity));
  }
};

struct Toleration {
  std::string key;
  std::string op;
  std::string value;
  std::string effect;
  std::optional<int64_t> toleration_seconds;

  bool operator==(const Toleration&) const = default;
  static constexpr auto Fields() {
    return json::Object(
        json::Field("key", &Toleration::key).MaxLength(317),
        json::Field("operator", &Toleration::op).OneOf("Exists|Equal|Lt|Gt"),
        json::Field("value", &Toleration::value).MaxLength(63),
        json::Field("effect", &Toleration::effect).OneOf("NoSchedule|PreferNoSchedule|NoExecute"),
        json::Field("tolerationSeconds", &Toleration::toleration_seconds));
  }
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
  static constexpr auto Fields() {
    return json::Object(
        json::Field("maxSkew", &TopologySpreadConstraint::max_skew).Required(),
        json::Field("topologyKey", &TopologySpreadConstraint::topology_key)
            .MaxLength(317)
            .Required(),
        json::Field("whenUnsatisfiable", &TopologySpreadConstraint::when_unsatisfiable).Required(),
        json::Field("labelSelector", &TopologySpreadConstraint::label_selector),
        json::Field("minDomains", &TopologySpreadConstraint::min_domains),
        json::Field("nodeAffinityPolicy", &TopologySpreadConstraint::node_affinity_policy),
        json::Field("nodeTaintsPolicy", &TopologySpreadConstraint::node_taints_policy),
        json::Field("matchLabelKeys", &TopologySpreadConstraint::match_label_keys));
  }
};

}  // namespace berth::api

BERTH_JSON_EXTERN(berth::api::Affinity);
