// SPDX-License-Identifier: Apache-2.0
#include <nlohmann/json.hpp>

#include "apiserver/admission/admission.h"
#include "apiserver/kinds/strategy.h"
#include "apiserver/state.h"

namespace berth::apiserver {
namespace {

using nlohmann::json;

// Nobody grants what they do not have, unless they hold the verb that allows it. Source:
// pkg/registry/rbac.

bool Allowed(State& state, const AdmissionRequest& request, std::string verb, std::string resource,
             std::string name) {
  return state.authorizer
      .Authorize(*request.user, {.verb = std::move(verb),
                                 .is_resource = true,
                                 .namespace_ = request.namespace_,
                                 .group = "rbac.authorization.k8s.io",
                                 .resource = std::move(resource),
                                 .subresource = {},
                                 .name = std::move(name),
                                 .path = {}})
      .allowed;
}

Answer<void> CheckGrant(State& state, const AdmissionRequest& request,
                        std::span<const PolicyRule> wanted, const std::string& name) {
  const std::vector<PolicyRule> owned =
      state.authorizer.RulesFor(*request.user, request.namespace_);
  const std::vector<PolicyRule> missing = Uncovered(owned, wanted);
  if (missing.empty()) return {};
  std::string text = "user " + json(request.user->name).dump() +
                     " (groups=" + json(request.user->groups).dump() +
                     ") is attempting to grant RBAC permissions not currently held:";
  for (const PolicyRule& rule : missing) text += "\n" + rule.ToString();
  return Refuse(Forbidden(request.kind->Resource(), name, text));
}

}  // namespace

Answer<void> CheckEscalation(State& state, const AdmissionRequest& request, const json& object) {
  if (request.user == nullptr || request.user->IsIn(kMastersGroup)) return {};
  const std::string name = TextAt(object, "metadata/name");
  if (request.kind->kind == "Role" || request.kind->kind == "ClusterRole") {
    if (request.old != nullptr &&
        request.old->value("rules", json()) == object.value("rules", json()))
      return {};
    if (Allowed(state, request, "escalate", request.kind->plural, name)) return {};
    return CheckGrant(state, request, ReadRules(object), name);
  }
  const std::string role_kind = TextAt(object, "roleRef/kind");
  const std::string role = TextAt(object, "roleRef/name");
  const bool same = request.old != nullptr &&
                    request.old->value("subjects", json()) == object.value("subjects", json());
  if (same) return {};
  if (Allowed(state, request, "bind", role_kind == "Role" ? "roles" : "clusterroles", role))
    return {};
  const auto* rules = state.authorizer.RulesOf(role_kind, request.namespace_, role);
  if (rules == nullptr) {
    return Refuse(NotFound(
        {"rbac.authorization.k8s.io", role_kind == "Role" ? "roles" : "clusterroles"}, role));
  }
  return CheckGrant(state, request, *rules, name);
}

}  // namespace berth::apiserver
