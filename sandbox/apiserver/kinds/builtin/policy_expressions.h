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

// PolicyExpressions are those of a ValidatingAdmissionPolicy, compiled. They may read `object`,
// `oldObject`, `request`, `namespaceObject` and, other than match conditions,
// `variables`.
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

// CompilePolicy reads the match conditions, variables and validations of a policy's spec. What does
// not compile is left out and is a problem, as is what is wrong with the names and texts that
// belong to it. Source: pkg/apis/admissionregistration/validation of Kubernetes.
PolicyExpressions CompilePolicy(const nlohmann::json& spec, Errors& errors);

}  // namespace berth::apiserver
