// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/json/type.h"

// The extender protocol, version 1: requests and responses between a scheduler and its extenders.
// Use base/json/go_text.h to read and write it: upstream's structs have no JSON tags, so names are
// capitalised and absent values are null. Pods and nodes in it are API objects and are passed
// through unchanged. Source: k8s.io/kube-scheduler extender/v1/types.go.
namespace berth::api {

// ExtenderNodeList is a NodeList without apiVersion and kind.
struct ExtenderNodeList {
  json::Raw metadata;
  std::vector<json::Raw> items;

  bool operator==(const ExtenderNodeList&) const = default;
  static const json::Type& JsonType();
};

// ExtenderArgs is the request of filter and prioritize. It has either the nodes, or their names if
// the extender is node cache capable.
struct ExtenderArgs {
  json::Raw pod;
  std::optional<ExtenderNodeList> nodes;
  std::optional<std::vector<std::string>> node_names;

  bool operator==(const ExtenderArgs&) const = default;
  static const json::Type& JsonType();
};

// FailedNodesMap maps each rejected node to a message.
using FailedNodesMap = std::map<std::string, std::string>;

// ExtenderFilterResult is the response to filter. failed_and_unresolvable_nodes takes precedence
// over failed_nodes.
struct ExtenderFilterResult {
  std::optional<ExtenderNodeList> nodes;
  std::optional<std::vector<std::string>> node_names;
  FailedNodesMap failed_nodes;
  FailedNodesMap failed_and_unresolvable_nodes;
  std::string error;

  bool operator==(const ExtenderFilterResult&) const = default;
  static const json::Type& JsonType();
};

struct HostPriority {
  std::string host;
  int64_t score = 0;  // 0 to 10

  bool operator==(const HostPriority&) const = default;
  static const json::Type& JsonType();
};

// HostPriorityList is the response to prioritize.
using HostPriorityList = std::vector<HostPriority>;

struct ExtenderBindingArgs {
  std::string pod_name;
  std::string pod_namespace;
  std::string pod_uid;
  std::string node;

  bool operator==(const ExtenderBindingArgs&) const = default;
  static const json::Type& JsonType();
};

struct ExtenderBindingResult {
  std::string error;

  bool operator==(const ExtenderBindingResult&) const = default;
  static const json::Type& JsonType();
};

// Victims are the pods to evict from a node, as full objects.
struct Victims {
  std::vector<json::Raw> pods;
  int64_t num_pdb_violations = 0;

  bool operator==(const Victims&) const = default;
  static const json::Type& JsonType();
};

struct MetaPod {
  std::string uid;

  bool operator==(const MetaPod&) const = default;
  static const json::Type& JsonType();
};

// MetaVictims are the pods to evict from a node, as UIDs.
struct MetaVictims {
  std::vector<MetaPod> pods;
  int64_t num_pdb_violations = 0;

  bool operator==(const MetaVictims&) const = default;
  static const json::Type& JsonType();
};

// ExtenderPreemptionArgs is the request of preempt. It has one of two maps keyed by node name; the
// second is for node cache capable extenders.
struct ExtenderPreemptionArgs {
  json::Raw pod;
  std::optional<std::map<std::string, Victims>> node_name_to_victims;
  std::optional<std::map<std::string, MetaVictims>> node_name_to_meta_victims;

  bool operator==(const ExtenderPreemptionArgs&) const = default;
  static const json::Type& JsonType();
};

// ExtenderPreemptionResult is the response to preempt. It always contains UIDs.
struct ExtenderPreemptionResult {
  std::map<std::string, MetaVictims> node_name_to_meta_victims;

  bool operator==(const ExtenderPreemptionResult&) const = default;
  static const json::Type& JsonType();
};

}  // namespace berth::api
