// SPDX-License-Identifier: Apache-2.0
#include <nlohmann/json.hpp>

#include "sandbox/apiserver/kinds/builtin/policy_expressions.h"
#include "sandbox/apiserver/kinds/builtin/strategies.h"
#include "sandbox/apiserver/kinds/field.h"
#include "sandbox/apiserver/kinds/strategy.h"

// Policies and their bindings. Checks that the expressions compile, and that there are no
// parameters, which this server does not support.
namespace berth::apiserver {
namespace {

using nlohmann::json;

constexpr const char* kNoParameters = "is not served by this server: it needs a real API server";

void ValidatePolicy(const json& object, Errors& errors) {
  const Field spec = Field(object, errors)["spec"];
  if (spec["paramKind"].IsSet()) spec["paramKind"].Forbidden(kNoParameters);
  spec["matchConstraints"].Require();
  CompilePolicy(spec.value(), errors);
}

void ValidateBinding(const json& object, Errors& errors) {
  const Field spec = Field(object, errors)["spec"];
  spec["policyName"].Require();
  if (spec["paramRef"].IsSet()) spec["paramRef"].Forbidden(kNoParameters);
  spec["validationActions"].Require("at least one validation action is required");
}

}  // namespace

const Strategy* AdmissionPolicyStrategy(const KindInfo& kind) {
  static const Strategy kPolicy = {.validate = ValidatePolicy};
  static const Strategy kBinding = {.validate = ValidateBinding};
  if (kind.group != "admissionregistration.k8s.io") return nullptr;
  if (kind.kind == "ValidatingAdmissionPolicy") return &kPolicy;
  return kind.kind == "ValidatingAdmissionPolicyBinding" ? &kBinding : nullptr;
}

}  // namespace berth::apiserver
