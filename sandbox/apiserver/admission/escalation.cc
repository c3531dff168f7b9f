// SPDX-License-Identifier: Apache-2.0
#include <set>

#include <nlohmann/json.hpp>

#include "sandbox/apiserver/admission/admission.h"
#include "sandbox/apiserver/document.h"
#include "sandbox/apiserver/state.h"

namespace berth::apiserver {
namespace {

using nlohmann::json;

// Users cannot grant permissions that they do not have, unless they hold the verb that allows it.
// Source: pkg/registry/rbac.

constexpr const char* kRbacGroup = "rbac.authorization.k8s.io";

bool Allowed(State& state, const AdmissionRequest& request, std::string verb, std::string resource,
             std::string name) {
  return state.authorizer
      .Authorize(*request.user, {.verb = std::move(verb),
                                 .is_resource = true,
                                 .namespace_ = request.namespace_,
                                 .group = kRbacGroup,
                                 .resource = std::move(resource),
                                 .subresource = {},
                                 .name = std::move(name),
                                 .path = {}})
      .allowed;
}

// The garbage collector may change owner references and finalizers, whatever the object grants.
bool ChangesOnlyOwnership(const json& object, const json& old) {
  const auto rest = [](json document) {
    for (const char* field : {"ownerReferences", "finalizers", "selfLink", "managedFields"})
      document["metadata"].erase(field);
    return document;
  };
  return rest(object) == rest(old);
}

Answer<void> CheckGrant(State& state, const AdmissionRequest& request,
                        std::span<const PolicyRule> wanted, const std::string& name) {
  const std::vector<PolicyRule> owned =
      state.authorizer.RulesFor(*request.user, request.namespace_);
  const std::vector<PolicyRule> missing = Uncovered(owned, wanted);
  if (missing.empty()) return {};
  std::set<std::string> lines;
  for (const PolicyRule& rule : missing) lines.insert(rule.ToString());
  std::string text = "user " + Quoted(request.user->name) +
                     " (groups=" + QuotedList(request.user->groups) +
                     ") is attempting to grant RBAC permissions not currently held:";
  for (const std::string& line : lines) text += "\n" + line;
  return Reject(Forbidden(request.kind->Resource(), name, text));
}

bool Aggregates(const json* role) {
  const json* selectors =
      role == nullptr ? nullptr : At(*role, "aggregationRule/clusterRoleSelectors");
  return selectors != nullptr && !selectors->empty();
}

Answer<void> CheckRole(State& state, const AdmissionRequest& request, const json& role) {
  const std::string name = TextAt(role, "metadata/name");
  if (Allowed(state, request, "escalate", request.kind->plural, request.name)) return {};
  if (auto held = CheckGrant(state, request, ReadRules(role), name); !held) return held;
  if (request.kind->kind != "ClusterRole" || (!Aggregates(&role) && !Aggregates(request.old)))
    return {};
  // An aggregation rule can collect any rule, so it requires all permissions.
  static const std::vector<PolicyRule> kFullAuthority = {{{"*"}, {"*"}, {"*"}, {}, {}},
                                                         {{"*"}, {}, {}, {}, {"*"}}};
  if (CheckGrant(state, request, kFullAuthority, name)) return {};
  return Reject(Forbidden(request.kind->Resource(), name,
                          "must have cluster-admin privileges to use the aggregationRule"));
}

Answer<void> CheckBoundRole(State& state, const AdmissionRequest& request, const json& binding) {
  const std::string kind = TextAt(binding, "roleRef/kind");
  const std::string role = TextAt(binding, "roleRef/name");
  if (kind != "Role" && kind != "ClusterRole") {
    return Reject(Unclassified("unsupported role reference kind: " + Quoted(kind)));
  }
  const std::string resource = kind == "Role" ? "roles" : "clusterroles";
  if (Allowed(state, request, "bind", resource, role)) return {};
  const auto* rules = state.authorizer.RulesOf(kind, request.namespace_, role);
  // The real server's error names the binding's resource, not the role's.
  if (rules == nullptr) return Reject(NotFound(request.kind->Resource(), role));
  return CheckGrant(state, request, *rules, TextAt(binding, "metadata/name"));
}

}  // namespace

Answer<void> CheckEscalation(State& state, const AdmissionRequest& request, const json& object) {
  if (request.kind->group != kRbacGroup || request.user == nullptr ||
      request.user->IsIn(kMastersGroup)) {
    return {};
  }
  if (request.old != nullptr && ChangesOnlyOwnership(object, *request.old)) return {};
  const bool role = request.kind->kind == "Role" || request.kind->kind == "ClusterRole";
  return role ? CheckRole(state, request, object) : CheckBoundRole(state, request, object);
}

}  // namespace berth::apiserver
