// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "api/meta.h"
#include "base/int_or_string.h"

namespace berth::api {

struct NetworkPolicyPort {
  std::string protocol;
  std::optional<IntOrString> port;
  std::optional<int32_t> end_port;

  bool operator==(const NetworkPolicyPort&) const = default;
  static const json::Type& JsonType();
};

struct IpBlock {
  std::string cidr;
  std::vector<std::string> except;

  bool operator==(const IpBlock&) const = default;
  static const json::Type& JsonType();
};

// NetworkPolicyPeer selects pods, namespaces, pods in namespaces, or addresses.
struct NetworkPolicyPeer {
  std::optional<LabelSelector> pod_selector;
  std::optional<LabelSelector> namespace_selector;
  std::optional<IpBlock> ip_block;

  bool operator==(const NetworkPolicyPeer&) const = default;
  static const json::Type& JsonType();
};

// NetworkPolicyIngressRule without ports allows all ports; without peers it allows all sources.
struct NetworkPolicyIngressRule {
  std::vector<NetworkPolicyPort> ports;
  std::vector<NetworkPolicyPeer> from;

  bool operator==(const NetworkPolicyIngressRule&) const = default;
  static const json::Type& JsonType();
};

struct NetworkPolicyEgressRule {
  std::vector<NetworkPolicyPort> ports;
  std::vector<NetworkPolicyPeer> to;

  bool operator==(const NetworkPolicyEgressRule&) const = default;
  static const json::Type& JsonType();
};

struct NetworkPolicySpec {
  std::optional<LabelSelector> pod_selector;  // required; `{}` selects every pod of the namespace
  std::vector<NetworkPolicyIngressRule> ingress;
  std::vector<NetworkPolicyEgressRule> egress;
  std::vector<std::string> policy_types;  // Ingress, Egress

  bool operator==(const NetworkPolicySpec&) const = default;
  static const json::Type& JsonType();
};

struct NetworkPolicy {
  static constexpr ResourceInfo kResource{.group = "networking.k8s.io",
                                          .version = "v1",
                                          .kind = "NetworkPolicy",
                                          .plural = "networkpolicies",
                                          .namespaced = true};

  ObjectMeta metadata;
  NetworkPolicySpec spec;

  bool operator==(const NetworkPolicy&) const = default;
  static const json::Type& JsonType();
};

}  // namespace berth::api
