// SPDX-License-Identifier: Apache-2.0
#include <nlohmann/json.hpp>

#include "sandbox/apiserver/go/go_value.h"
#include "sandbox/apiserver/kinds/builtin/int_or_percent.h"
#include "sandbox/apiserver/kinds/builtin/strategies.h"
#include "sandbox/apiserver/kinds/strategy.h"

// PodDisruptionBudgets. Source: pkg/apis/policy/validation of Kubernetes.
namespace berth::apiserver {
namespace {

using nlohmann::json;

constexpr GoField kSpec[] = {{"MinAvailable", "minAvailable"},
                             {"Selector", "selector"},
                             {"MaxUnavailable", "maxUnavailable"},
                             {"UnhealthyPodEvictionPolicy", "unhealthyPodEvictionPolicy"}};

void Validate(const json& object, Problems& problems) {
  const Field spec = Field(object, problems)["spec"];
  if (spec["minAvailable"].IsSet() && spec["maxUnavailable"].IsSet()) {
    spec.Invalid(GoText(spec.value(), kSpec), "minAvailable and maxUnavailable cannot be both set");
  }
  for (const char* bound : {"minAvailable", "maxUnavailable"}) {
    CheckIntOrPercent(spec[bound]);
    CheckAtMostAll(spec[bound]);
  }
  CheckLabelSelector(spec["selector"]);
  spec["unhealthyPodEvictionPolicy"].OneOf({"AlwaysAllow", "IfHealthyBudget"});
}

void CheckCondition(const Field& condition) {
  if (condition["type"].Require()) condition["type"].Named(CheckQualifiedName);
  if (condition["status"].Require()) condition["status"].OneOf({"False", "True", "Unknown"});
  condition["observedGeneration"].AtLeast(0, kNotNegative);
  condition["lastTransitionTime"].Require();
  condition["reason"].Require();
}

void ValidatePart(std::string_view subresource, const json& object, const json& /*old*/,
                  Problems& problems) {
  if (subresource != "status") return;
  const Field status = Field(object, problems)["status"];
  for (const Field& condition : status["conditions"].Items()) CheckCondition(condition);
  for (const char* count :
       {"disruptionsAllowed", "currentHealthy", "desiredHealthy", "expectedPods"}) {
    status[count].AtLeast(0, kNotNegative);
  }
}

}  // namespace

const Strategy* BudgetStrategy(const KindInfo& kind) {
  static const Strategy kBudget = {.validate = Validate, .validate_part = ValidatePart};
  return kind.kind == "PodDisruptionBudget" && kind.group == "policy" ? &kBudget : nullptr;
}

}  // namespace berth::apiserver
