// SPDX-License-Identifier: Apache-2.0
#include "api/affinity.h"

namespace berth::api {

const json::Type& NodeSelectorRequirement::JsonType() {
  static const json::Type type = json::Describe<NodeSelectorRequirement>(json::Object(
      json::Field("key", &NodeSelectorRequirement::key).MaxLength(317).Required(),
      json::Field("operator", &NodeSelectorRequirement::op)
          .OneOf("In|NotIn|Exists|DoesNotExist|Gt|Lt")
          .Required(),
      json::Field("values", &NodeSelectorRequirement::values).MaxItems(256).ItemMaxLength(253)));
  return type;
}

const json::Type& NodeSelectorTerm::JsonType() {
  static const json::Type type = json::Describe<NodeSelectorTerm>(json::Object(
      json::Field("matchExpressions", &NodeSelectorTerm::match_expressions).MaxItems(64),
      json::Field("matchFields", &NodeSelectorTerm::match_fields).MaxItems(64)));
  return type;
}

const json::Type& NodeSelector::JsonType() {
  static const json::Type type = json::Describe<NodeSelector>(
      json::Object(json::Field("nodeSelectorTerms", &NodeSelector::node_selector_terms)
                       .MaxItems(64)
                       .Required()));
  return type;
}

const json::Type& PreferredSchedulingTerm::JsonType() {
  static const json::Type type = json::Describe<PreferredSchedulingTerm>(
      json::Object(json::Field("weight", &PreferredSchedulingTerm::weight).Required(),
                   json::Field("preference", &PreferredSchedulingTerm::preference).Required()));
  return type;
}

const json::Type& NodeAffinity::JsonType() {
  static const json::Type type = json::Describe<NodeAffinity>(json::Object(
      json::Field("requiredDuringSchedulingIgnoredDuringExecution", &NodeAffinity::required),
      json::Field("preferredDuringSchedulingIgnoredDuringExecution", &NodeAffinity::preferred)
          .MaxItems(64)));
  return type;
}

const json::Type& PodAffinityTerm::JsonType() {
  static const json::Type type = json::Describe<PodAffinityTerm>(json::Object(
      json::Field("labelSelector", &PodAffinityTerm::label_selector),
      json::Field("namespaceSelector", &PodAffinityTerm::namespace_selector),
      json::Field("namespaces", &PodAffinityTerm::namespaces).MaxItems(64).ItemMaxLength(63),
      json::Field("topologyKey", &PodAffinityTerm::topology_key).MaxLength(317).Required(),
      json::Field("matchLabelKeys", &PodAffinityTerm::match_label_keys)
          .MaxItems(64)
          .ItemMaxLength(317),
      json::Field("mismatchLabelKeys", &PodAffinityTerm::mismatch_label_keys)
          .MaxItems(64)
          .ItemMaxLength(317)));
  return type;
}

const json::Type& WeightedPodAffinityTerm::JsonType() {
  static const json::Type type = json::Describe<WeightedPodAffinityTerm>(json::Object(
      json::Field("weight", &WeightedPodAffinityTerm::weight).Required(),
      json::Field("podAffinityTerm", &WeightedPodAffinityTerm::pod_affinity_term).Required()));
  return type;
}

const json::Type& PodAffinity::JsonType() {
  static const json::Type type = json::Describe<PodAffinity>(json::Object(
      json::Field("requiredDuringSchedulingIgnoredDuringExecution", &PodAffinity::required)
          .MaxItems(64),
      json::Field("preferredDuringSchedulingIgnoredDuringExecution", &PodAffinity::preferred)
          .MaxItems(64)));
  return type;
}

const json::Type& Affinity::JsonType() {
  static const json::Type type = json::Describe<Affinity>(
      json::Object(json::Field("nodeAffinity", &Affinity::node_affinity),
                   json::Field("podAffinity", &Affinity::pod_affinity),
                   json::Field("podAntiAffinity", &Affinity::pod_anti_affinity)));
  return type;
}

const json::Type& Toleration::JsonType() {
  static const json::Type type = json::Describe<Toleration>(json::Object(
      json::Field("key", &Toleration::key).MaxLength(317),
      json::Field("operator", &Toleration::op).OneOf("Exists|Equal|Lt|Gt"),
      json::Field("value", &Toleration::value).MaxLength(63),
      json::Field("effect", &Toleration::effect).OneOf("NoSchedule|PreferNoSchedule|NoExecute"),
      json::Field("tolerationSeconds", &Toleration::toleration_seconds)));
  return type;
}

const json::Type& TopologySpreadConstraint::JsonType() {
  static const json::Type type = json::Describe<TopologySpreadConstraint>(json::Object(
      json::Field("maxSkew", &TopologySpreadConstraint::max_skew).Required(),
      json::Field("topologyKey", &TopologySpreadConstraint::topology_key).MaxLength(317).Required(),
      json::Field("whenUnsatisfiable", &TopologySpreadConstraint::when_unsatisfiable).Required(),
      json::Field("labelSelector", &TopologySpreadConstraint::label_selector),
      json::Field("minDomains", &TopologySpreadConstraint::min_domains),
      json::Field("nodeAffinityPolicy", &TopologySpreadConstraint::node_affinity_policy),
      json::Field("nodeTaintsPolicy", &TopologySpreadConstraint::node_taints_policy),
      json::Field("matchLabelKeys", &TopologySpreadConstraint::match_label_keys)));
  return type;
}

}  // namespace berth::api
