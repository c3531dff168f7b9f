// SPDX-License-Identifier: Apache-2.0
#include <nlohmann/json.hpp>

#include "sandbox/apiserver/kinds/builtin/int_or_percent.h"
#include "sandbox/apiserver/kinds/builtin/strategies.h"
#include "sandbox/apiserver/kinds/strategy.h"

// PodDisruptionBudgets. Source: pkg/apis/policy/validation of Kubernetes.
namespace berth::apiserver {
namespace {

using nlohmann::json;

void ValidateBudget(const json& object, Errors& errors) {
  const Field spec = Field(object, errors)["spec"];
  if (spec["minAvailable"].IsSet() && spec["maxUnavailable"].IsSet()) {
    spec.Invalid("minAvailable and maxUnavailable cannot be both set");
  }
  for (const char* bound : {"minAvailable", "maxUnavailable"}) {
    CheckIntOrPercent(spec[bound]);
    CheckAtMostAll(spec[bound]);
  }
  CheckLabelSelector(spec["selector"]);
  spec["unhealthyPodEvictionPolicy"].OneOf({"AlwaysAllow", "IfHealthyBudget"});
}

}  // namespace

const Strategy* BudgetStrategy(const KindInfo& kind) {
  static const Strategy kBudget = {.validate = ValidateBudget};
  return kind.kind == "PodDisruptionBudget" && kind.group == "policy" ? &kBudget : nullptr;
}

}  // namespace berth::apiserver
