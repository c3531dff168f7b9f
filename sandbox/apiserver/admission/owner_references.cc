// SPDX-License-Identifier: Apache-2.0
#include <map>

#include <nlohmann/json.hpp>

#include "sandbox/apiserver/admission/admission.h"
#include "sandbox/apiserver/document.h"
#include "sandbox/apiserver/state.h"

namespace berth::apiserver {
namespace {

using nlohmann::json;

// Source: plugin/pkg/admission/gc (OwnerReferencesPermissionEnforcement).

const json& OwnersOf(const json& object) {
  static const json kNone = json::array();
  const json* owners = At(object, "metadata/ownerReferences");
  return owners != nullptr && owners->is_array() ? *owners : kNone;
}

bool Blocks(const json& owner) { return owner.value("blockOwnerDeletion", false); }

// Returns the owner references that newly block the deletion of their owner.
std::vector<json> NewlyBlocking(const json& object, const json* old) {
  std::map<std::string, bool> before;
  if (old != nullptr) {
    for (const json& owner : OwnersOf(*old)) before[owner.value("uid", "")] = Blocks(owner);
  }
  std::vector<json> blocking;
  for (const json& owner : OwnersOf(object)) {
    if (Blocks(owner) && !before[owner.value("uid", "")]) blocking.push_back(owner);
  }
  return blocking;
}

// A status write cannot change owners, and old kubelets send invalid ones with it.
bool IsExempt(const AdmissionRequest& request) {
  return request.kind->group.empty() && request.kind->kind == "Pod" &&
         request.subresource == "status";
}

// Checked first, so that the owner's kind need not be known.
bool FinalizesAnything(State& state, const UserInfo& user) {
  return state.authorizer
      .Authorize(user, {.verb = "update",
                        .is_resource = true,
                        .namespace_ = {},
                        .group = "*",
                        .resource = "*",
                        .subresource = "finalizers",
                        .name = "*",
                        .path = {}})
      .allowed;
}

// Formats the reason and the error of an authorizer like Go.
std::string Why(const Decision& decision) { return decision.reason + ", <nil>"; }

Answer<void> CheckMayFinalize(State& state, const AdmissionRequest& request, const json& object,
                              const json& owner) {
  const std::string version = owner.value("apiVersion", "");
  const std::string kind = owner.value("kind", "");
  const KindPtr found = state.kinds.FindKind(GroupVersionKind::Of(version, kind));
  if (found == nullptr) {
    return Reject(AdmissionRejection(
        request, object,
        "cannot set blockOwnerDeletion in this case because cannot find RESTMapping for "
        "APIVersion " +
            version + " Kind " + kind + ": no matches for kind " + Quoted(kind) + " in version " +
            Quoted(version)));
  }
  const Decision decision = state.authorizer.Authorize(
      *request.user, {.verb = "update",
                      .is_resource = true,
                      // A namespaced owner is in the namespace of its dependent.
                      .namespace_ = found->namespaced ? request.namespace_ : "",
                      .group = found->group,
                      .resource = found->plural,
                      .subresource = "finalizers",
                      .name = owner.value("name", ""),
                      .path = {}});
  if (decision.allowed) return {};
  return Reject(AdmissionRejection(request, object,
                                   "cannot set blockOwnerDeletion if an ownerReference refers to a "
                                   "resource you can't set finalizers on: " +
                                       Why(decision)));
}

}  // namespace

Answer<void> CheckOwnerReferences(State& state, const AdmissionRequest& request,
                                  const json& object) {
  if (request.user == nullptr || IsExempt(request)) return {};
  const json& owners = OwnersOf(object);
  if (request.old == nullptr ? owners.empty() : owners == OwnersOf(*request.old)) return {};
  if (request.old != nullptr) {
    const Decision decision =
        state.authorizer.Authorize(*request.user, {.verb = "delete",
                                                   .is_resource = true,
                                                   .namespace_ = request.namespace_,
                                                   .group = request.kind->group,
                                                   .resource = request.kind->plural,
                                                   .subresource = request.subresource,
                                                   .name = request.name,
                                                   .path = {}});
    if (!decision.allowed) {
      return Reject(AdmissionRejection(
          request, object,
          "cannot set an ownerRef on a resource you can't delete: " + Why(decision)));
    }
  }
  const std::vector<json> blocking = NewlyBlocking(object, request.old);
  if (blocking.empty() || FinalizesAnything(state, *request.user)) return {};
  for (const json& owner : blocking) {
    if (auto may = CheckMayFinalize(state, request, object, owner); !may) return may;
  }
  return {};
}

}  // namespace berth::apiserver
