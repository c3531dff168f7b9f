// SPDX-License-Identifier: Apache-2.0
#include "sandbox/apiserver/auth/aggregation.h"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "sandbox/apiserver/document.h"
#include "sandbox/apiserver/kinds/selectors.h"
#include "sandbox/apiserver/state.h"

namespace berth::apiserver {
namespace {

using nlohmann::json;

json GatheredRules(const json& role, const std::vector<json>& all) {
  json rules = json::array();
  for (const json& selector :
       role["aggregationRule"].value("clusterRoleSelectors", json::array())) {
    const auto compiled = CompileSelector(selector);
    if (!compiled) continue;
    for (const json& part : all) {
      if (part["metadata"]["name"] == role["metadata"]["name"]) continue;
      if (!compiled->Matches(LabelsOf(At(part, "metadata/labels"))) || !part.contains("rules"))
        continue;
      for (const json& rule : part["rules"]) {
        if (std::find(rules.begin(), rules.end(), rule) == rules.end()) rules.push_back(rule);
      }
    }
  }
  return rules;
}

// One round; whether anything changed.
bool AggregateOnce(Collection& roles) {
  const ListResult page = roles.List({});
  if (!page) return false;
  std::vector<json> all;
  for (const ObjectPtr& object : page->items) all.push_back(json::parse(object->text));
  bool changed = false;
  for (json& role : all) {
    if (!role.contains("aggregationRule") || !role["aggregationRule"].is_object()) continue;
    json rules = GatheredRules(role, all);
    if (role.value("rules", json()) == rules) continue;
    role["rules"] = std::move(rules);
    changed = roles.Update(MakeDraft(role, {})).has_value() || changed;
  }
  return changed;
}

}  // namespace

void AggregateRoles(State& state) {
  Collection* roles = state.store.Find("clusterroles.rbac.authorization.k8s.io");
  if (roles == nullptr) return;
  // Roles that gather may be gathered themselves: edit into admin. Few rounds settle that.
  for (int round = 0; round < 4 && AggregateOnce(*roles); ++round) {
  }
  state.authorizer.Forget();
}

}  // namespace berth::apiserver
