// SPDX-License-Identifier: Apache-2.0
// Roles and bindings. Source: pkg/apis/rbac/validation of Kubernetes.
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "sandbox/apiserver/document.h"
#include "sandbox/apiserver/kinds/builtin/strategies.h"
#include "sandbox/apiserver/kinds/field.h"
#include "sandbox/apiserver/kinds/strategy.h"

namespace berth::apiserver {
namespace {

using nlohmann::json;

constexpr std::string_view kGroup = "rbac.authorization.k8s.io";
constexpr std::string_view kNoGroup = "";

void RequireOneOf(const Field& field, std::initializer_list<std::string_view> allowed) {
  if (field.Require()) field.OneOf(allowed);
}

void CheckRule(const Field& rule, bool namespaced) {
  const Field urls = rule["nonResourceURLs"];
  if (urls.IsEmpty()) {
    rule["apiGroups"].Require("resource rules must supply at least one api group");
    rule["resources"].Require("resource rules must supply at least one resource");
    return;
  }
  if (namespaced) urls.Invalid("namespaced rules cannot apply to non-resource URLs");
  for (const char* field : {"apiGroups", "resources", "resourceNames"}) {
    if (rule[field].IsEmpty()) continue;
    return urls.Invalid("rules cannot apply to both regular resources and non-resource URLs");
  }
}

void CheckRules(const Field& role, bool namespaced) {
  const std::vector<Field> rules = role["rules"].Items();
  for (const Field& rule : rules) CheckRule(rule, namespaced);
  // Declared rules are checked after the others.
  for (const Field& rule : rules) rule["verbs"].Require();
}

void ValidateRole(const json& object, Errors& errors) { CheckRules(Field(object, errors), true); }

void ValidateClusterRole(const json& object, Errors& errors) {
  const Field role(object, errors);
  CheckRules(role, false);
  if (role["aggregationRule"].IsSet())
    role["aggregationRule"].Forbidden("is not served by this server: it needs a real API server");
}

void CheckSubject(const Field& subject, bool namespaced) {
  const Field name = subject["name"];
  name.Require();
  const std::string kind = subject["kind"].Text();
  if (kind == "ServiceAccount") {
    if (!name.IsEmpty()) name.Named(CheckDnsSubdomain);
    subject["apiGroup"].OneOf({kNoGroup});
    if (!namespaced) subject["namespace"].Require();
  } else if (kind == "User" || kind == "Group") {
    RequireOneOf(subject["apiGroup"], {kGroup});
  } else {
    RequireOneOf(subject["kind"], {"ServiceAccount", "User", "Group"});
  }
}

void CheckBinding(const Field& binding, bool namespaced) {
  const Field role = binding["roleRef"];
  RequireOneOf(role["apiGroup"], {kGroup});
  if (namespaced)
    RequireOneOf(role["kind"], {"Role", "ClusterRole"});
  else
    RequireOneOf(role["kind"], {"ClusterRole"});
  if (role["name"].Require()) role["name"].Named(CheckPathSegment);
  for (const Field& subject : binding["subjects"].Items()) CheckSubject(subject, namespaced);
}

void ValidateRoleBinding(const json& object, Errors& errors) {
  CheckBinding(Field(object, errors), true);
}

void ValidateClusterRoleBinding(const json& object, Errors& errors) {
  CheckBinding(Field(object, errors), false);
}

// The role of a binding is immutable; another role needs another binding.
void KeepRole(const json& object, const json& old, Errors& errors) {
  const Field role = Field(object, errors)["roleRef"];
  if (role.value() == Field(old, errors)["roleRef"].value()) return;
  // The value is of Go's internal type, whose fields have no JSON names.
  const json shown = {{"APIGroup", role["apiGroup"].Text()},
                      {"Kind", role["kind"].Text()},
                      {"Name", role["name"].Text()}};
  role.Invalid(DocumentText(shown), "field is immutable");
}

Strategy Make(void (*validate)(const json&, Errors&),
              void (*validate_update)(const json&, const json&, Errors&)) {
  Strategy strategy;
  strategy.names = Strategy::NameRule::kPathSegment;
  strategy.validate = validate;
  strategy.validate_update = validate_update;
  return strategy;
}

}  // namespace

const Strategy* RbacStrategy(const KindInfo& kind) {
  static const Strategy kRole = Make(ValidateRole, nullptr);
  static const Strategy kClusterRole = Make(ValidateClusterRole, nullptr);
  static const Strategy kBinding = Make(ValidateRoleBinding, KeepRole);
  static const Strategy kClusterBinding = Make(ValidateClusterRoleBinding, KeepRole);
  if (kind.group != kGroup) return nullptr;
  if (kind.kind == "Role") return &kRole;
  if (kind.kind == "ClusterRole") return &kClusterRole;
  return kind.kind == "RoleBinding" ? &kBinding : &kClusterBinding;
}

}  // namespace berth::apiserver
