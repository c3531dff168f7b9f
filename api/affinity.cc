// SPDX-License-Identifier: Apache-2.0
#include "api/affinity.h"

namespace berth::api {

const json::Type& NodeSelectorRequirement::JsonType() {
  static const json::Type type = json::Describe<NodeSelectorRequirement>(
      json::Object(json::Field("key", &NodeSelectorRequirement::key)
                       .Doc("Label key of the node, or metadata.name in matchFields.")
                       .MaxLength(317)
                       .Required(),
                   json::Field("operator", &NodeSelectorRequirement::op)
                       .Doc("Relation of the node's value to values. Gt and Lt compare integers.")
                       .OneOf("In|NotIn|Exists|DoesNotExist|Gt|Lt")
                       .Required(),
                   json::Field("values", &NodeSelectorRequirement::values)
                       .Doc("Values: at least one for In and NotIn, none for Exists and "
                            "DoesNotExist, one integer for Gt and Lt.")
                       .MaxItems(256)
                       .ItemMaxLength(253)));
  return type;
}

const json::Type& NodeSelectorTerm::JsonType() {
  static const json::Type type = json::Describe<NodeSelectorTerm>(
      json::Object(json::Field("matchExpressions", &NodeSelectorTerm::match_expressions)
                       .Doc("Requirements on node labels; all must hold.")
                       .MaxItems(64),
                   json::Field("matchFields", &NodeSelectorTerm::match_fields)
                       .Doc("Requirements on node fields; all must hold.")
                       .MaxItems(64)));
  return type;
}

const json::Type& NodeSelector::JsonType() {
  static const json::Type type = json::Describe<NodeSelector>(
      json::Object(json::Field("nodeSelectorTerms", &NodeSelector::node_selector_terms)
                       .Doc("Terms of which at least one must match the node.")
                       .MaxItems(64)
                       .Required()));
  return type;
}

const json::Type& PreferredSchedulingTerm::JsonType() {
  static const json::Type type = json::Describe<PreferredSchedulingTerm>(
      json::Object(json::Field("weight", &PreferredSchedulingTerm::weight)
                       .Doc("Score of a matching node, from 1 to 100.")
                       .Required(),
                   json::Field("preference", &PreferredSchedulingTerm::preference)
                       .Doc("Term that a preferred node matches.")
                       .Required()));
  return type;
}

const json::Type& NodeAffinity::JsonType() {
  static const json::Type type = json::Describe<NodeAffinity>(json::Object(
      json::Field("requiredDuringSchedulingIgnoredDuringExecution", &NodeAffinity::required)
          .Doc("Nodes that the pod may be placed on; a running pod stays if its node no longer "
               "matches."),
      json::Field("preferredDuringSchedulingIgnoredDuringExecution", &NodeAffinity::preferred)
          .Doc("Nodes that the scheduler prefers; the weights of matching terms are added.")
          .MaxItems(64)));
  return type;
}

const json::Type& PodAffinityTerm::JsonType() {
  static const json::Type type = json::Describe<PodAffinityTerm>(json::Object(
      json::Field("labelSelector", &PodAffinityTerm::label_selector)
          .Doc("Selects the other pods by their labels; absent: none."),
      json::Field("namespaceSelector", &PodAffinityTerm::namespace_selector)
          .Doc("Selects namespaces of the other pods by label, besides namespaces; empty: all "
               "namespaces."),
      json::Field("namespaces", &PodAffinityTerm::namespaces)
          .Doc("Namespaces of the other pods; empty, without namespaceSelector: the namespace of "
               "this pod.")
          .MaxItems(64)
          .ItemMaxLength(63),
      json::Field("topologyKey", &PodAffinityTerm::topology_key)
          .Doc("Node label whose value is the topology domain, such as kubernetes.io/hostname.")
          .MaxLength(317)
          .Required(),
      json::Field("matchLabelKeys", &PodAffinityTerm::match_label_keys)
          .Doc("Keys of labels of this pod that the other pods must have with the same value.")
          .MaxItems(64)
          .ItemMaxLength(317),
      json::Field("mismatchLabelKeys", &PodAffinityTerm::mismatch_label_keys)
          .Doc("Keys of labels of this pod that the other pods must have with another value.")
          .MaxItems(64)
          .ItemMaxLength(317)));
  return type;
}

const json::Type& WeightedPodAffinityTerm::JsonType() {
  static const json::Type type = json::Describe<WeightedPodAffinityTerm>(
      json::Object(json::Field("weight", &WeightedPodAffinityTerm::weight)
                       .Doc("Score of a matching node, from 1 to 100.")
                       .Required(),
                   json::Field("podAffinityTerm", &WeightedPodAffinityTerm::pod_affinity_term)
                       .Doc("Term with the other pods and the topology domain.")
                       .Required()));
  return type;
}

const json::Type& PodAffinity::JsonType() {
  static const json::Type type = json::Describe<PodAffinity>(json::Object(
      json::Field("requiredDuringSchedulingIgnoredDuringExecution", &PodAffinity::required)
          .Doc("Terms that all must match when the pod is placed; a running pod stays if they no "
               "longer match.")
          .MaxItems(64),
      json::Field("preferredDuringSchedulingIgnoredDuringExecution", &PodAffinity::preferred)
          .Doc(
              "Terms that the scheduler prefers to match; the weights of matching terms are added.")
          .MaxItems(64)));
  return type;
}

const json::Type& Affinity::JsonType() {
  static const json::Type type = json::Describe<Affinity>(json::Object(
      json::Field("nodeAffinity", &Affinity::node_affinity)
          .Doc("Affinity to nodes by their labels."),
      json::Field("podAffinity", &Affinity::pod_affinity)
          .Doc("Affinity to other pods: the same topology domain, such as node or zone."),
      json::Field("podAntiAffinity", &Affinity::pod_anti_affinity)
          .Doc("Anti-affinity to other pods: another topology domain.")));
  return type;
}

const json::Type& Toleration::JsonType() {
  static const json::Type type = json::Describe<Toleration>(
      json::Object(json::Field("key", &Toleration::key)
                       .Doc("Key of the taint; empty, with operator Exists: all taints.")
                       .MaxLength(317),
                   json::Field("operator", &Toleration::op)
                       .Doc("Relation of the taint's value to value. Equal is the default; Exists "
                            "ignores the value; Gt and Lt compare integers.")
                       .OneOf("Exists|Equal|Lt|Gt"),
                   json::Field("value", &Toleration::value)
                       .Doc("Value of the taint; empty with operator Exists.")
                       .MaxLength(63),
                   json::Field("effect", &Toleration::effect)
                       .Doc("Effect of the taint; empty: all effects.")
                       .OneOf("NoSchedule|PreferNoSchedule|NoExecute"),
                   json::Field("tolerationSeconds", &Toleration::toleration_seconds)
                       .Doc("Seconds that a NoExecute taint is tolerated; absent: forever; 0 or "
                            "less: evict at once.")));
  return type;
}

const json::Type& TopologySpreadConstraint::JsonType() {
  static const json::Type type = json::Describe<TopologySpreadConstraint>(json::Object(
      json::Field("maxSkew", &TopologySpreadConstraint::max_skew)
          .Doc("Maximum difference between the number of matching pods in a domain and the "
               "smallest number in any.")
          .Required(),
      json::Field("topologyKey", &TopologySpreadConstraint::topology_key)
          .Doc(
              "Node label whose value is the topology domain, such as topology.kubernetes.io/zone.")
          .MaxLength(317)
          .Required(),
      json::Field("whenUnsatisfiable", &TopologySpreadConstraint::when_unsatisfiable)
          .Doc("DoNotSchedule: the pod stays pending; ScheduleAnyway: nodes with a smaller "
               "difference are preferred.")
          .Required(),
      json::Field("labelSelector", &TopologySpreadConstraint::label_selector)
          .Doc("Selects the counted pods by their labels."),
      json::Field("minDomains", &TopologySpreadConstraint::min_domains)
          .Doc("Minimum number of domains; with fewer, the smallest number counts as 0."),
      json::Field("nodeAffinityPolicy", &TopologySpreadConstraint::node_affinity_policy)
          .Doc("Honor: only nodes that match the pod's node affinity are counted; Ignore: all. "
               "Default: Honor."),
      json::Field("nodeTaintsPolicy", &TopologySpreadConstraint::node_taints_policy)
          .Doc("Honor: only nodes whose taints the pod tolerates are counted; Ignore: all. "
               "Default: Ignore."),
      json::Field("matchLabelKeys", &TopologySpreadConstraint::match_label_keys)
          .Doc("Keys of labels of this pod that the counted pods must have with the same value.")));
  return type;
}

}  // namespace berth::api
