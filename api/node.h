// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "api/container.h"
#include "api/meta.h"

namespace berth::api {

struct Taint {
  std::string key;
  std::string value;
  std::string effect;  // NoSchedule, PreferNoSchedule, NoExecute
  std::optional<Time> time_added;

  bool operator==(const Taint&) const = default;
  static constexpr auto Fields() {
    return json::Object(json::Field("key", &Taint::key), json::Field("value", &Taint::value),
                        json::Field("effect", &Taint::effect),
                        json::Field("timeAdded", &Taint::time_added));
  }
};

struct NodeSpec {
  bool unschedulable = false;
  std::vector<Taint> taints;
  std::string provider_id;

  bool operator==(const NodeSpec&) const = default;
  static constexpr auto Fields() {
    return json::Object(json::Field("unschedulable", &NodeSpec::unschedulable),
                        json::Field("taints", &NodeSpec::taints),
                        json::Field("providerID", &NodeSpec::provider_id));
  }
};

struct NodeCondition {
  std::string type;
  std::string status;
  std::string reason;
  std::string message;
  Time last_heartbeat_time;
  Time last_transition_time;

  bool operator==(const NodeCondition&) const = default;
  static constexpr auto Fields() {
    return json::Object(json::Field("type", &NodeCondition::type),
                        json::Field("status", &NodeCondition::status),
                        json::Field("reason", &NodeCondition::reason),
                        json::Field("message", &NodeCondition::message),
                        json::Field("lastHeartbeatTime", &NodeCondition::last_heartbeat_time),
                        json::Field("lastTransitionTime", &NodeCondition::last_transition_time));
  }
};

struct ContainerImage {
  std::vector<std::string> names;
  int64_t size_bytes = 0;

  bool operator==(const ContainerImage&) const = default;
  static constexpr auto Fields() {
    return json::Object(json::Field("names", &ContainerImage::names),
                        json::Field("sizeBytes", &ContainerImage::size_bytes));
  }
};

struct NodeSystemInfo {
  std::string architecture;
  std::string operating_system;
  std::string kubelet_version;

  bool operator==(const NodeSystemInfo&) const = default;
  static constexpr auto Fields() {
    return json::Object(json::Field("architecture", &NodeSystemInfo::architecture),
                        json::Field("operatingSystem", &NodeSystemInfo::operating_system),
                        json::Field("kubeletVersion", &NodeSystemInfo::kubelet_version));
  }
};

struct NodeStatus {
  ResourceList capacity;
  ResourceList allocatable;
  std::vector<NodeCondition> conditions;
  std::vector<ContainerImage> images;
  Rare<NodeSystemInfo> node_info;
  std::vector<std::string> declared_features;  // absent where the kubelet does not say

  bool operator==(const NodeStatus&) const = default;
  static constexpr auto Fields() {
    return json::Object(json::Field("capacity", &NodeStatus::capacity),
                        json::Field("allocatable", &NodeStatus::allocatable),
                        json::Field("conditions", &NodeStatus::conditions),
                        json::Field("images", &NodeStatus::images),
                        json::Field("nodeInfo", &NodeStatus::node_info),
                        json::Field("declaredFeatures", &NodeStatus::declared_features));
  }
};

struct Node {
  static constexpr ResourceInfo kResource{
      .group = "", .version = "v1", .kind = "Node", .plural = "nodes", .namespaced = false};

  ObjectMeta metadata;
  NodeSpec spec;
  NodeStatus status;

  bool operator==(const Node&) const = default;
  static constexpr auto Fields() {
    return json::Object(json::Constant("apiVersion", "v1"), json::Constant("kind", "Node"),
                        json::Field("metadata", &Node::metadata), json::Field("spec", &Node::spec),
                        json::Field("status", &Node::status));
  }
};

}  // namespace berth::api

BERTH_JSON_EXTERN(berth::api::Node);
