// SPDX-License-Identifier: Apache-2.0
#include "sandbox/apiserver/admission/policy_params.h"

#include "sandbox/apiserver/document.h"
#include "sandbox/apiserver/kinds/custom/custom_versions.h"
#include "sandbox/apiserver/kinds/kind_info.h"
#include "sandbox/apiserver/kinds/selectors.h"
#include "sandbox/apiserver/state.h"

namespace berth::apiserver {
namespace {

using nlohmann::json;

Failure Misconfigured(std::string why) { return Fail(Reason::kInvalid, std::move(why)); }

KindPtr KindOf(State& state, const json& param_kind) {
  const std::string version = TextAt(param_kind, "apiVersion");
  const size_t slash = version.find('/');
  return state.kinds.FindKind({slash == version.npos ? "" : version.substr(0, slash),
                               slash == version.npos ? version : version.substr(slash + 1),
                               TextAt(param_kind, "kind")});
}

Result<std::vector<json>> Selected(State& state, const KindInfo& kind, const json& selector,
                                   const std::string& name_space) {
  BERTH_TRY(api::Selector labels, CompileSelector(selector));
  const ListResult page = state.CollectionOf(kind).List(
      {.selection = {.namespace_ = name_space, .labels = std::move(labels), .fields = {}}});
  std::vector<json> params;
  for (const ObjectPtr& object : page ? page->items : std::vector<ObjectPtr>())
    ShowVersion(kind, params.emplace_back(json::parse(object->text)));
  return params;
}

}  // namespace

Result<std::vector<json>> ParamsOf(State& state, const json& policy_spec, const json& binding_spec,
                                   const std::string& name_space) {
  const json* param_kind = At(policy_spec, "paramKind");
  const json* ref = At(binding_spec, "paramRef");
  if (param_kind == nullptr || ref == nullptr) return std::vector<json>{json()};
  const KindPtr kind = KindOf(state, *param_kind);
  if (kind == nullptr || !kind->stored) {
    return Misconfigured(
        "paramKind kind `&ParamKind{APIVersion:" + TextAt(*param_kind, "apiVersion") +
        ",Kind:" + TextAt(*param_kind, "kind") + ",}` not known");
  }
  std::string place = TextAt(*ref, "namespace");
  if (!kind->namespaced && !place.empty())
    return Misconfigured(
        "paramRef.namespace must not be provided for a cluster-scoped `paramKind`");
  if (kind->namespaced && place.empty()) place = name_space;
  if (kind->namespaced && place.empty())
    return Misconfigured(
        "cannot use namespaced paramRef in policy binding that matches cluster-scoped resources");
  std::vector<json> params;
  if (const std::string name = TextAt(*ref, "name"); !name.empty()) {
    if (const ObjectPtr found = state.CollectionOf(*kind).Find(place, name))
      ShowVersion(*kind, params.emplace_back(json::parse(found->text)));
  } else if (const json* selector = At(*ref, "selector")) {
    BERTH_TRY(params, Selected(state, *kind, *selector, place));
  }
  if (params.empty() && TextAt(*ref, "parameterNotFoundAction") == "Deny")
    return Misconfigured("no params found for policy binding with `Deny` parameterNotFoundAction");
  return params;
}

}  // namespace berth::apiserver
