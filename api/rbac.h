// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "api/meta.h"

namespace berth::api {

struct PolicyRule {
  std::vector<std::string> api_groups;
  std::vector<std::string> resources;
  std::vector<std::string> resource_names;
  std::vector<std::string> verbs;
  std::vector<std::string> non_resource_urls;

  bool operator==(const PolicyRule&) const = default;
  static const json::Type& JsonType();
};

struct Role {
  static constexpr ResourceInfo kResource{.group = "rbac.authorization.k8s.io",
                                          .version = "v1",
                                          .kind = "Role",
                                          .plural = "roles",
                                          .namespaced = true};

  ObjectMeta metadata;
  std::vector<PolicyRule> rules;

  bool operator==(const Role&) const = default;
  static const json::Type& JsonType();
};

struct AggregationRule {
  std::vector<LabelSelector> cluster_role_selectors;

  bool operator==(const AggregationRule&) const = default;
  static const json::Type& JsonType();
};

// ClusterRole. With an aggregation rule, the control plane fills in its rules from the selected
// roles.
struct ClusterRole {
  static constexpr ResourceInfo kResource{.group = "rbac.authorization.k8s.io",
                                          .version = "v1",
                                          .kind = "ClusterRole",
                                          .plural = "clusterroles",
                                          .namespaced = false};

  ObjectMeta metadata;
  std::vector<PolicyRule> rules;
  std::optional<AggregationRule> aggregation_rule;

  bool operator==(const ClusterRole&) const = default;
  static const json::Type& JsonType();
};

struct RoleRef {
  std::string api_group;
  std::string kind;  // Role, ClusterRole
  std::string name;

  bool operator==(const RoleRef&) const = default;
  static const json::Type& JsonType();
};

struct Subject {
  std::string kind;       // ServiceAccount, User, Group
  std::string api_group;  // empty for a ServiceAccount
  std::string namespace_;
  std::string name;

  bool operator==(const Subject&) const = default;
  static const json::Type& JsonType();
};

struct RoleBinding {
  static constexpr ResourceInfo kResource{.group = "rbac.authorization.k8s.io",
                                          .version = "v1",
                                          .kind = "RoleBinding",
                                          .plural = "rolebindings",
                                          .namespaced = true};

  ObjectMeta metadata;
  RoleRef role_ref;
  std::vector<Subject> subjects;

  bool operator==(const RoleBinding&) const = default;
  static const json::Type& JsonType();
};

struct ClusterRoleBinding {
  static constexpr ResourceInfo kResource{.group = "rbac.authorization.k8s.io",
                                          .version = "v1",
                                          .kind = "ClusterRoleBinding",
                                          .plural = "clusterrolebindings",
                                          .namespaced = false};

  ObjectMeta metadata;
  RoleRef role_ref;
  std::vector<Subject> subjects;

  bool operator==(const ClusterRoleBinding&) const = default;
  static const json::Type& JsonType();
};

}  // namespace berth::api
