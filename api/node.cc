// SPDX-License-Identifier: Apache-2.0
#include "api/node.h"

namespace berth::api {

const json::Type& Taint::JsonType() {
  static const json::Type type = json::Describe<Taint>(json::Object(
      json::Field("key", &Taint::key), json::Field("value", &Taint::value),
      json::Field("effect", &Taint::effect), json::Field("timeAdded", &Taint::time_added)));
  return type;
}

const json::Type& NodeSpec::JsonType() {
  static const json::Type type = json::Describe<NodeSpec>(json::Object(
      json::Field("unschedulable", &NodeSpec::unschedulable),
      json::Field("taints", &NodeSpec::taints), json::Field("providerID", &NodeSpec::provider_id)));
  return type;
}

const json::Type& NodeCondition::JsonType() {
  static const json::Type type = json::Describe<NodeCondition>(json::Object(
      json::Field("type", &NodeCondition::type), json::Field("status", &NodeCondition::status),
      json::Field("reason", &NodeCondition::reason),
      json::Field("message", &NodeCondition::message),
      json::Field("lastHeartbeatTime", &NodeCondition::last_heartbeat_time),
      json::Field("lastTransitionTime", &NodeCondition::last_transition_time)));
  return type;
}

const json::Type& ContainerImage::JsonType() {
  static const json::Type type = json::Describe<ContainerImage>(
      json::Object(json::Field("names", &ContainerImage::names),
                   json::Field("sizeBytes", &ContainerImage::size_bytes)));
  return type;
}

const json::Type& NodeAddress::JsonType() {
  static const json::Type type = json::Describe<NodeAddress>(json::Object(
      json::Field("type", &NodeAddress::type), json::Field("address", &NodeAddress::address)));
  return type;
}

const json::Type& NodeSystemInfo::JsonType() {
  static const json::Type type = json::Describe<NodeSystemInfo>(
      json::Object(json::Field("architecture", &NodeSystemInfo::architecture),
                   json::Field("operatingSystem", &NodeSystemInfo::operating_system),
                   json::Field("kubeletVersion", &NodeSystemInfo::kubelet_version)));
  return type;
}

const json::Type& NodeStatus::JsonType() {
  static const json::Type type = json::Describe<NodeStatus>(json::Object(
      json::Field("capacity", &NodeStatus::capacity),
      json::Field("allocatable", &NodeStatus::allocatable),
      json::Field("conditions", &NodeStatus::conditions),
      json::Field("addresses", &NodeStatus::addresses), json::Field("images", &NodeStatus::images),
      json::Field("nodeInfo", &NodeStatus::node_info),
      json::Field("declaredFeatures", &NodeStatus::declared_features)));
  return type;
}

const json::Type& Node::JsonType() {
  static const json::Type type = json::Describe<Node>(
      json::Object(json::Constant("apiVersion", "v1"), json::Constant("kind", "Node"),
                   json::Field("metadata", &Node::metadata), json::Field("spec", &Node::spec),
                   json::Field("status", &Node::status)));
  return type;
}

}  // namespace berth::api
