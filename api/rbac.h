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
  static constexpr auto Fields() {
    return json::Object(json::Field("apiGroups", &PolicyRule::api_groups),
                        json::Field("resources", &PolicyRule::resources),
                        json::Field("resourceNames", &PolicyRule::resource_names),
                        json::Field("verbs", &PolicyRule::verbs),
                        json::Field("nonResourceURLs", &PolicyRule::non_resource_urls));
  }
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
  static constexpr auto Fields() {
    return json::Object(json::Constant("apiVersion", "rbac.authorization.k8s.io/v1"),
                        json::Constant("kind", "Role"), json::Field("metadata", &Role::metadata),
                        json::Field("rules", &Role::rules));
  }
};

struct AggregationRule {
  std::vector<LabelSelector> cluster_role_selectors;

  bool operator==(const AggregationRule&) const = default;
  static constexpr auto Fields() {
    return json::Object(
        json::Field("clusterRoleSelectors", &AggregationRule::cluster_role_selectors));
  }
};

// ClusterRole with an aggregation rule gets its rules from the roles it selects; the control plane
// fills them in.
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
  static constexpr auto Fields() {
    return json::Object(json::Constant("apiVersion", "rbac.authorization.k8s.io/v1"),
                        json::Constant("kind", "ClusterRole"),
                        json::Field("metadata", &ClusterRole::metadata),
                        json::Field("rules", &ClusterRole::rules),
                        json::Field("aggregationRule", &ClusterRole::aggregation_rule));
  }
};

struct RoleRef {
  std::string api_group;
  std::string kind;  // Role, ClusterRole
  std::string name;

  bool operator==(const RoleRef&) const = default;
  static constexpr auto Fields() {
    return json::Object(json::Field("apiGroup", &RoleRef::api_group),
                        json::Field("kind", &RoleRef::kind), json::Field("name", &RoleRef::name));
  }
};

struct Subject {
  std::string kind;       // ServiceAccount, User, Group
  std::string api_group;  // empty for a ServiceAccount
  std::string namespace_;
  std::string name;

  bool operator==(const Subject&) const = default;
  static constexpr auto Fields() {
    return json::Object(
        json::Field("kind", &Subject::kind), json::Field("apiGroup", &Subject::api_group),
        json::Field("namespace", &Subject::namespace_), json::Field("name", &Subject::name));
  }
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
  static constexpr auto Fields() {
    return json::Object(json::Constant("apiVersion", "rbac.authorization.k8s.io/v1"),
                        json::Constant("kind", "RoleBinding"),
                        json::Field("metadata", &RoleBinding::metadata),
                        json::Field("roleRef", &RoleBinding::role_ref),
                        json::Field("subjects", &RoleBinding::subjects));
  }
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
  static constexpr auto Fields() {
    return json::Object(json::Constant("apiVersion", "rbac.authorization.k8s.io/v1"),
                        json::Constant("kind", "ClusterRoleBinding"),
                        json::Field("metadata", &ClusterRoleBinding::metadata),
                        json::Field("roleRef", &ClusterRoleBinding::role_ref),
                        json::Field("subjects", &ClusterRoleBinding::subjects));
  }
};

}  // namespace berth::api

BERTH_JSON_EXTERN(berth::api::Role);
BERTH_JSON_EXTERN(berth::api::ClusterRole);
BERTH_JSON_EXTERN(berth::api::RoleBinding);
BERTH_JSON_EXTERN(berth::api::ClusterRoleBinding);
