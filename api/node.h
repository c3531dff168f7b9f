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
  static const json::Type& JsonType();
};

struct NodeSpec {
  bool unschedulable = false;
  std::vector<Taint> taints;
  std::string provider_id;

  bool operator==(const NodeSpec&) const = default;
  static const json::Type& JsonType();
};

struct NodeCondition {
  std::string type;
  std::string status;
  std::string reason;
  std::string message;
  Time last_heartbeat_time;
  Time last_transition_time;

  bool operator==(const NodeCondition&) const = default;
  static const json::Type& JsonType();
};

struct ContainerImage {
  std::vector<std::string> names;
  int64_t size_bytes = 0;

  bool operator==(const ContainerImage&) const = default;
  static const json::Type& JsonType();
};

struct NodeAddress {
  std::string type;  // InternalIP, Hostname, ExternalIP, InternalDNS, ExternalDNS
  std::string address;

  bool operator==(const NodeAddress&) const = default;
  static const json::Type& JsonType();
};

struct NodeSystemInfo {
  std::string architecture;
  std::string operating_system;
  std::string kubelet_version;

  bool operator==(const NodeSystemInfo&) const = default;
  static const json::Type& JsonType();
};

struct NodeStatus {
  ResourceList capacity;
  ResourceList allocatable;
  std::vector<NodeCondition> conditions;
  std::vector<NodeAddress> addresses;
  std::vector<ContainerImage> images;
  Rare<NodeSystemInfo> node_info;
  std::vector<std::string> declared_features;  // absent if the kubelet does not report them

  bool operator==(const NodeStatus&) const = default;
  static const json::Type& JsonType();
};

struct Node {
  static constexpr ResourceInfo kResource{
      .group = "", .version = "v1", .kind = "Node", .plural = "nodes", .namespaced = false};

  ObjectMeta metadata;
  NodeSpec spec;
  NodeStatus status;

  bool operator==(const Node&) const = default;
  static const json::Type& JsonType();
};

}  // namespace berth::api
