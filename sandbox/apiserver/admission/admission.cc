// SPDX-License-Identifier: Apache-2.0
#include "sandbox/apiserver/admission/admission.h"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "sandbox/apiserver/document.h"
#include "sandbox/apiserver/kinds/kind_info.h"
#include "sandbox/apiserver/state.h"

namespace berth::apiserver {
namespace {

using nlohmann::json;

// Access reviews may be created in any namespace, also in an absent one.
bool IsAccessReview(const KindInfo& kind) { return kind.group == "authorization.k8s.io"; }

}  // namespace

Answer<void> CheckNamespace(State& state, const AdmissionRequest& request, const json& object) {
  if (request.operation != "CREATE" || !request.kind->namespaced || IsAccessReview(*request.kind))
    return {};
  const Collection* namespaces = state.store.Find("namespaces");
  const ObjectPtr found =
      namespaces == nullptr ? nullptr : namespaces->Find("", request.namespace_);
  if (found == nullptr) return Reject(NotFound({"", "namespaces"}, request.namespace_));
  if (!found->metadata.IsBeingDeleted()) return {};
  StatusError error =
      AdmissionRejection(request, object,
                         "unable to create new content in namespace " + request.namespace_ +
                             " because it is being terminated");
  error.details.causes.push_back({"NamespaceTerminating",
                                  "namespace " + request.namespace_ + " is being terminated",
                                  "metadata.namespace"});
  return Reject(std::move(error));
}

Answer<void> MutateOnAdmission(State& state, const AdmissionRequest& request, json& object) {
  if (auto ok = CheckNamespace(state, request, object); !ok) return ok;
  if (auto ok = CheckEscalation(state, request, object); !ok) return ok;
  const bool new_pod = request.kind->kind == "Pod" && request.kind->group.empty() &&
                       request.operation == "CREATE" && request.subresource.empty();
  if (!new_pod) return {};
  if (auto ok = FillPriority(state, request, object); !ok) return ok;
  if (auto ok = FillServiceAccount(state, request, object); !ok) return ok;
  FillTolerations(object);
  return {};
}

Answer<void> ValidateOnAdmission(State& state, const AdmissionRequest& request,
                                 const json* object) {
  static constexpr std::string_view kKept[] = {"default", "kube-system", "kube-public"};
  const bool protects = request.operation == "DELETE" && request.kind->kind == "Namespace" &&
                        request.kind->group.empty() && request.subresource.empty();
  if (protects && std::find(std::begin(kKept), std::end(kKept), request.name) != std::end(kKept)) {
    return Reject(
        Forbidden(request.kind->Resource(), request.name, "this namespace may not be deleted"));
  }
  if (object != nullptr) {
    if (auto ok = CheckOwnerReferences(state, request, *object); !ok) return ok;
  }
  return state.policies.Check(state, request, object);
}

StatusError AdmissionRejection(const AdmissionRequest& request, const json& object,
                               std::string_view why) {
  std::string name = request.name;
  if (name.empty()) name = TextAt(object, "metadata/name");
  if (name.empty()) name = TextAt(object, "metadata/generateName");
  return Forbidden(request.kind->Resource(), name.empty() ? "Unknown" : name, why);
}

}  // namespace berth::apiserver
