// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "cel/program.h"
#include "cel/variables.h"
#include "sandbox/apiserver/kinds/status_error.h"

namespace berth::apiserver {

// PolicyExpressions are the compiled expressions of a ValidatingAdmissionPolicy. They may read
// `object`, `oldObject`, `request` and `namespaceObject`; all except messages also `authorizer`,
// and all except match conditions also `variables`.
struct PolicyExpressions {
  struct Condition {
    std::string name;
    cel::Program program;
  };
  struct Validation {
    cel::Program program;
    std::optional<cel::Program> message_expression;
    std::string text, message, reason;
  };

  std::vector<Condition> conditions;
  cel::Variables variables;
  std::vector<Validation> validations;
};

// Compiles the match conditions, variables and validations of a policy's spec. Expressions that do
// not compile are left out and reported in `errors`, as are invalid names and texts. Source:
// pkg/apis/admissionregistration/validation of Kubernetes.
PolicyExpressions CompilePolicy(const nlohmann::json& spec, Errors& errors);

}  // namespace berth::apiserver
