// SPDX-License-Identifier: Apache-2.0
#include "api/extender.h"

namespace berth::api {

const json::Type& ExtenderNodeList::JsonType() {
  static const json::Type type = json::Describe<ExtenderNodeList>(
      json::Object(json::Field("metadata", &ExtenderNodeList::metadata),
                   json::Field("items", &ExtenderNodeList::items)));
  return type;
}

const json::Type& ExtenderArgs::JsonType() {
  static const json::Type type = json::Describe<ExtenderArgs>(json::Object(
      json::Field("Pod", &ExtenderArgs::pod), json::Field("Nodes", &ExtenderArgs::nodes),
      json::Field("NodeNames", &ExtenderArgs::node_names)));
  return type;
}

const json::Type& ExtenderFilterResult::JsonType() {
  static const json::Type type = json::Describe<ExtenderFilterResult>(
      json::Object(json::Field("Nodes", &ExtenderFilterResult::nodes),
                   json::Field("NodeNames", &ExtenderFilterResult::node_names),
                   json::Field("FailedNodes", &ExtenderFilterResult::failed_nodes),
                   json::Field("FailedAndUnresolvableNodes",
                               &ExtenderFilterResult::failed_and_unresolvable_nodes),
                   json::Field("Error", &ExtenderFilterResult::error)));
  return type;
}

const json::Type& HostPriority::JsonType() {
  static const json::Type type = json::Describe<HostPriority>(json::Object(
      json::Field("Host", &HostPriority::host), json::Field("Score", &HostPriority::score)));
  return type;
}

const json::Type& ExtenderBindingArgs::JsonType() {
  static const json::Type type = json::Describe<ExtenderBindingArgs>(
      json::Object(json::Field("PodName", &ExtenderBindingArgs::pod_name),
                   json::Field("PodNamespace", &ExtenderBindingArgs::pod_namespace),
                   json::Field("PodUID", &ExtenderBindingArgs::pod_uid),
                   json::Field("Node", &ExtenderBindingArgs::node)));
  return type;
}

const json::Type& ExtenderBindingResult::JsonType() {
  static const json::Type type = json::Describe<ExtenderBindingResult>(
      json::Object(json::Field("Error", &ExtenderBindingResult::error)));
  return type;
}

const json::Type& Victims::JsonType() {
  static const json::Type type = json::Describe<Victims>(
      json::Object(json::Field("Pods", &Victims::pods),
                   json::Field("NumPDBViolations", &Victims::num_pdb_violations)));
  return type;
}

const json::Type& MetaPod::JsonType() {
  static const json::Type type =
      json::Describe<MetaPod>(json::Object(json::Field("UID", &MetaPod::uid)));
  return type;
}

const json::Type& MetaVictims::JsonType() {
  static const json::Type type = json::Describe<MetaVictims>(
      json::Object(json::Field("Pods", &MetaVictims::pods),
                   json::Field("NumPDBViolations", &MetaVictims::num_pdb_violations)));
  return type;
}

const json::Type& ExtenderPreemptionArgs::JsonType() {
  static const json::Type type = json::Describe<ExtenderPreemptionArgs>(json::Object(
      json::Field("Pod", &ExtenderPreemptionArgs::pod),
      json::Field("NodeNameToVictims", &ExtenderPreemptionArgs::node_name_to_victims),
      json::Field("NodeNameToMetaVictims", &ExtenderPreemptionArgs::node_name_to_meta_victims)));
  return type;
}

const json::Type& ExtenderPreemptionResult::JsonType() {
  static const json::Type type = json::Describe<ExtenderPreemptionResult>(json::Object(
      json::Field("NodeNameToMetaVictims", &ExtenderPreemptionResult::node_name_to_meta_victims)));
  return type;
}

}  // namespace berth::api
