// SPDX-License-Identifier: Apache-2.0
#include "api/rbac.h"

namespace berth::api {

const json::Type& PolicyRule::JsonType() {
  static const json::Type type = json::Describe<PolicyRule>(
      json::Object(json::Field("apiGroups", &PolicyRule::api_groups),
                   json::Field("resources", &PolicyRule::resources),
                   json::Field("resourceNames", &PolicyRule::resource_names),
                   json::Field("verbs", &PolicyRule::verbs),
                   json::Field("nonResourceURLs", &PolicyRule::non_resource_urls)));
  return type;
}

const json::Type& Role::JsonType() {
  static const json::Type type = json::Describe<Role>(json::Object(
      json::Constant("apiVersion", "rbac.authorization.k8s.io/v1"), json::Constant("kind", "Role"),
      json::Field("metadata", &Role::metadata), json::Field("rules", &Role::rules)));
  return type;
}

const json::Type& AggregationRule::JsonType() {
  static const json::Type type = json::Describe<AggregationRule>(
      json::Object(json::Field("clusterRoleSelectors", &AggregationRule::cluster_role_selectors)));
  return type;
}

const json::Type& ClusterRole::JsonType() {
  static const json::Type type = json::Describe<ClusterRole>(json::Object(
      json::Constant("apiVersion", "rbac.authorization.k8s.io/v1"),
      json::Constant("kind", "ClusterRole"), json::Field("metadata", &ClusterRole::metadata),
      json::Field("rules", &ClusterRole::rules),
      json::Field("aggregationRule", &ClusterRole::aggregation_rule)));
  return type;
}

const json::Type& RoleRef::JsonType() {
  static const json::Type type = json::Describe<RoleRef>(
      json::Object(json::Field("apiGroup", &RoleRef::api_group),
                   json::Field("kind", &RoleRef::kind), json::Field("name", &RoleRef::name)));
  return type;
}

const json::Type& Subject::JsonType() {
  static const json::Type type = json::Describe<Subject>(json::Object(
      json::Field("kind", &Subject::kind), json::Field("apiGroup", &Subject::api_group),
      json::Field("namespace", &Subject::namespace_), json::Field("name", &Subject::name)));
  return type;
}

const json::Type& RoleBinding::JsonType() {
  static const json::Type type = json::Describe<RoleBinding>(json::Object(
      json::Constant("apiVersion", "rbac.authorization.k8s.io/v1"),
      json::Constant("kind", "RoleBinding"), json::Field("metadata", &RoleBinding::metadata),
      json::Field("roleRef", &RoleBinding::role_ref),
      json::Field("subjects", &RoleBinding::subjects)));
  return type;
}

const json::Type& ClusterRoleBinding::JsonType() {
  static const json::Type type = json::Describe<ClusterRoleBinding>(
      json::Object(json::Constant("apiVersion", "rbac.authorization.k8s.io/v1"),
                   json::Constant("kind", "ClusterRoleBinding"),
                   json::Field("metadata", &ClusterRoleBinding::metadata),
                   json::Field("roleRef", &ClusterRoleBinding::role_ref),
                   json::Field("subjects", &ClusterRoleBinding::subjects)));
  return type;
}

}  // namespace berth::api
