// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "sandbox/apiserver/auth/user.h"
#include "sandbox/apiserver/kinds/kind_info.h"

namespace berth::apiserver {

struct State;

// AdmissionRequest describes a pending write.
struct AdmissionRequest {
  KindPtr kind;
  std::string operation;  // CREATE, UPDATE, DELETE, CONNECT
  std::string namespace_, name, subresource;
  const UserInfo* user = nullptr;
  bool dry_run = false;
  const nlohmann::json* old = nullptr;  // null for a create
  std::vector<std::string>* warnings = nullptr;
};

// Fills in the fields that admission plugins set, in upstream's order: priority, ServiceAccount and
// its token volume, default tolerations. Rejects requests that the plugins reject: content for an
// absent or terminating namespace, missing permissions of the user. The generated name of a
// generateName is not set yet.
Answer<void> MutateOnAdmission(State& state, const AdmissionRequest& request,
                               nlohmann::json& object);

// Checks owner references and runs the ValidatingAdmissionPolicies. `object` is null for a delete.
Answer<void> ValidateOnAdmission(State& state, const AdmissionRequest& request,
                                 const nlohmann::json* object);

// The plugins. Each one checks the kind itself.
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

// Returns a plugin's rejection. An object without a name is named by its generateName. Source:
// apiserver pkg/admission/errors.go.
StatusError AdmissionRejection(const AdmissionRequest& request, const nlohmann::json& object,
                               std::string_view why);

}  // namespace berth::apiserver
