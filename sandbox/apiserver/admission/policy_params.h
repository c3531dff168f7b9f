// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "base/error.h"
#include "sandbox/apiserver/admission/admission.h"

namespace berth::apiserver {

// ParamsOf gives the objects that a policy is asked with for one binding: `paramRef` of the binding
// names them, of the policy's paramKind. A policy without a paramKind, or a binding without a
// paramRef, is asked once with null. Empty: the policy is not asked. Errors (kInvalid) are mistakes
// of configuration. Source: apiserver pkg/admission/plugin/policy/generic, CollectParams.
Result<std::vector<nlohmann::json>> ParamsOf(State& state, const nlohmann::json& policy_spec,
                                             const nlohmann::json& binding_spec,
                                             const std::string& name_space);

}  // namespace berth::apiserver
