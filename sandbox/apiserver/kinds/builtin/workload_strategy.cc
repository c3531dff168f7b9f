// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <optional>

#include <nlohmann/json.hpp>

#include "api/labels.h"
#include "sandbox/apiserver/document.h"
#include "sandbox/apiserver/kinds/builtin/int_or_percent.h"
#include "sandbox/apiserver/kinds/builtin/pod_rules.h"
#include "sandbox/apiserver/kinds/builtin/strategies.h"
#include "sandbox/apiserver/kinds/selectors.h"
#include "sandbox/apiserver/kinds/strategy.h"

// The kinds of apps that own pods: their selectors, and a Deployment's strategy. Source:
// pkg/apis/apps/validation of Kubernetes.
namespace berth::apiserver {
namespace {

using nlohmann::json;

// Returns the compiled selector; nullopt if it does not compile.
std::optional<api::Selector> Compiled(const Field& selector) {
  if (!selector.IsSet()) return api::Selector::Nothing();
  auto compiled = CompileSelector(selector.value());
  if (!compiled) return std::nullopt;
  return std::move(*compiled);
}

void CheckMatches(const api::Selector& selector, const Field& pod_template) {
  const Field labels = pod_template["metadata"]["labels"];
  if (selector.Matches(LabelsOf(&labels.value()))) return;
  labels.Invalid(labels.IsEmpty() ? "null" : DocumentText(labels.value()),
                 "`selector` does not match template `labels`");
}

void CheckSelectedTemplate(const Field& spec) {
  const Field selector = spec["selector"];
  if (selector.IsSet()) {
    CheckLabelSelector(selector);
    if (selector["matchLabels"].IsEmpty() && selector["matchExpressions"].IsEmpty())
      selector.Invalid("empty selector is invalid for deployment");
  } else {
    selector.Required();
  }
  const auto compiled = Compiled(selector);
  if (!compiled) return selector.Invalid("invalid label selector");
  CheckMatches(*compiled, spec["template"]);
  CheckPodTemplate(spec["template"]);
  static constexpr std::array<std::string_view, 1> kAlways = {"Always"};
  spec["template"]["spec"]["restartPolicy"].OneOf(kAlways);
}

void CheckDeploymentStrategy(const Field& strategy) {
  const Field rolling = strategy["rollingUpdate"];
  if (strategy["type"].Text() == "Recreate") {
    if (rolling.IsSet())
      rolling.Forbidden("may not be specified when strategy `type` is 'Recreate'");
  } else if (strategy["type"].OneOf({"Recreate", "RollingUpdate"})) {
    CheckIntOrPercent(rolling["maxUnavailable"]);
    CheckIntOrPercent(rolling["maxSurge"]);
    if (IsZeroIntOrPercent(rolling["maxUnavailable"]) && IsZeroIntOrPercent(rolling["maxSurge"]))
      rolling["maxUnavailable"].Invalid("may not be 0 when `maxSurge` is 0");
    CheckAtMostAll(rolling["maxUnavailable"]);
  }
}

void ValidateWorkload(const json& object, Errors& errors) {
  const Field spec = Field(object, errors)["spec"];
  spec["replicas"].AtLeast(0, kNotNegative);
  CheckSelectedTemplate(spec);
  if (TextAt(object, "kind") == "Deployment") CheckDeploymentStrategy(spec["strategy"]);
}

void ValidateSelectorChange(const json& object, const json& old, Errors& errors) {
  Field(object, errors)["spec"]["selector"].Unchanged(Field(old, errors)["spec"]["selector"]);
}

}  // namespace

const Strategy* WorkloadStrategy(const KindInfo& kind) {
  static const Strategy kWorkload = {.validate = ValidateWorkload,
                                     .validate_update = ValidateSelectorChange};
  return kind.group == "apps" && kind.kind != "ControllerRevision" ? &kWorkload : nullptr;
}

}  // namespace berth::apiserver
