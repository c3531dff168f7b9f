// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "sandbox/apiserver/auth/user.h"
#include "sandbox/apiserver/kinds/kind_info.h"

namespace berth::apiserver {

struct State;

// AdmissionRequest is a write that is about to happen.
struct AdmissionRequest {
  KindPtr kind;
  std::string operation;  // CREATE, UPDATE, DELETE, CONNECT
  std::string namespace_, name, subresource;
  const UserInfo* user = nullptr;
  bool dry_run = false;
  const nlohmann::json* old = nullptr;  // null for a create
  std::vector<std::string>* warnings = nullptr;
};

// MutateOnAdmission fills in what admission plug-ins write, in upstream's order: priority,
// ServiceAccount and its token volume, default tolerations; and refuses what they refuse:
// content for a namespace that is absent or going, rights that the user does not have. A name that
// is to be generated is not there yet.
Answer<void> MutateOnAdmission(State& state, const AdmissionRequest& request,
                               nlohmann::json& object);

// ValidateOnAdmission asks whether an owner may be claimed, and the ValidatingAdmissionPolicies.
// `object` is null for a delete.
Answer<void> ValidateOnAdmission(State& state, const AdmissionRequest& request,
                                 const nlohmann::json* object);

// The plug-ins; each looks at the kind itself.
Answer<void> CheckNamespace(State& state, const AdmissionRequest& request,
                            const nlohmann::json& object);
Answer<void> FillPriority(State& state, const AdmissionRequest& request, nlohmann::json& object);
Answer<void> FillServiceAccount(State& state, const AdmissionRequest& request,
                                nlohmann::json& object);
void FillTolerations(nlohmann::json& object);
Answer<void> CheckEscalation(State& state, const AdmissionRequest& request,
                             const nlohmann::json& object);
Answer<void> CheckOwnerReferences(State& state, const AdmissionRequest& request,
                                  const nlohmann::json& object);

// AdmissionRejection is how a plug-in refuses. An object that has no name yet goes by what its name
// will begin with. Source: apiserver pkg/admission/errors.go.
StatusError AdmissionRejection(const AdmissionRequest& request, const nlohmann::json& object,
                               std::string_view why);

}  // namespace berth::apiserver
