// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/json/type.h"

// The extender protocol, version 1: what a scheduler asks the web services that take part in its
// decisions, and what they answer. To be read and written with base/json/go_text.h, since the
// protocol is that of upstream's structs, which have no tags: capitalised names, null for what is
// absent. Pods and nodes within are API objects, passed on as they came.
// Source: k8s.io/kube-scheduler extender/v1/types.go.
namespace berth::api {

// ExtenderNodeList is a NodeList without its kind.
struct ExtenderNodeList {
  json::Raw metadata;
  std::vector<json::Raw> items;

  bool operator==(const ExtenderNodeList&) const = default;
  static const json::Type& JsonType();
};

// ExtenderArgs is the question of filter and of prioritize: of the nodes one of both, names for an
// extender that knows them.
struct ExtenderArgs {
  json::Raw pod;
  std::optional<ExtenderNodeList> nodes;
  std::optional<std::vector<std::string>> node_names;

  bool operator==(const ExtenderArgs&) const = default;
  static const json::Type& JsonType();
};

// FailedNodesMap has a message for each node that is refused.
using FailedNodesMap = std::map<std::string, std::string>;

// ExtenderFilterResult is the answer to filter. What stands in failed_and_unresolvable_nodes counts
// before failed_nodes.
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

// HostPriorityList is the answer to prioritize.
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

// Victims are the pods that would have to leave a node, whole.
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

// MetaVictims are the same pods by their UIDs.
struct MetaVictims {
  std::vector<MetaPod> pods;
  int64_t num_pdb_violations = 0;

  bool operator==(const MetaVictims&) const = default;
  static const json::Type& JsonType();
};

// ExtenderPreemptionArgs is the question of preempt: one of both maps, from node names, the second
// for an extender that knows the nodes.
struct ExtenderPreemptionArgs {
  json::Raw pod;
  std::optional<std::map<std::string, Victims>> node_name_to_victims;
  std::optional<std::map<std::string, MetaVictims>> node_name_to_meta_victims;

  bool operator==(const ExtenderPreemptionArgs&) const = default;
  static const json::Type& JsonType();
};

// ExtenderPreemptionResult is the answer to preempt, in UIDs whatever was asked.
struct ExtenderPreemptionResult {
  std::map<std::string, MetaVictims> node_name_to_meta_victims;

  bool operator==(const ExtenderPreemptionResult&) const = default;
  static const json::Type& JsonType();
};

}  // namespace berth::api
