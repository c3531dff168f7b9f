// SPDX-License-Identifier: Apache-2.0
#include <array>

#include <nlohmann/json.hpp>

#include "sandbox/apiserver/document.h"
#include "sandbox/apiserver/go/go_value.h"
#include "sandbox/apiserver/kinds/builtin/int_or_percent.h"
#include "sandbox/apiserver/kinds/builtin/pod_rules.h"
#include "sandbox/apiserver/kinds/builtin/strategies.h"
#include "sandbox/apiserver/kinds/builtin/workload_rules.h"
#include "sandbox/apiserver/kinds/selectors.h"
#include "sandbox/apiserver/kinds/strategy.h"

namespace berth::apiserver {
namespace {

using nlohmann::json;

constexpr GoField kRolling[] = {{"MaxUnavailable", "maxUnavailable", "0"},
                                {"MaxSurge", "maxSurge", "0"}};
constexpr GoField kPartition[] = {{"Partition", "partition", "0"},
                                  {"MaxUnavailable", "maxUnavailable"}};
constexpr GoField kStrategy[] = {{"Type", "type", "\"\""},
                                 {"RollingUpdate", "rollingUpdate", "null", kRolling}};
constexpr GoField kSetStrategy[] = {{"Type", "type", "\"\""},
                                    {"RollingUpdate", "rollingUpdate", "null", kPartition}};

std::string LabelsText(const Field& labels) {
  return labels.IsEmpty() ? "null" : labels.value().dump();
}

// The selector by which labels are matched; nothing where it is none that can be compiled.
std::optional<api::Selector> Compiled(const Field& selector) {
  if (!selector.IsSet()) return api::Selector::Nothing();
  auto compiled = CompileSelector(selector.value());
  if (!compiled) return std::nullopt;
  return std::move(*compiled);
}

void CheckMatches(const api::Selector& selector, const Field& pod_template) {
  const Field labels = pod_template["metadata"]["labels"];
  if (!selector.Matches(LabelsOf(&labels.value())))
    labels.Invalid(LabelsText(labels), "`selector` does not match template `labels`");
}

void CheckRunsForever(const Field& pod_template, std::string_view kind) {
  static constexpr std::array<std::string_view, 1> kAlways = {"Always"};
  CheckPodTemplate(pod_template);
  const Field spec = pod_template["spec"];
  spec["restartPolicy"].OneOf(kAlways);
  if (spec["activeDeadlineSeconds"].IsSet()) {
    spec["activeDeadlineSeconds"].Forbidden("activeDeadlineSeconds in " + std::string(kind) +
                                            " is not Supported");
  }
}

void CheckNotEmpty(const Field& selector, const char* kind) {
  if (selector["matchLabels"].IsEmpty() && selector["matchExpressions"].IsEmpty())
    selector.Invalid("empty selector is invalid for " + std::string(kind));
}

void CheckDeploymentStrategy(const Field& strategy) {
  static constexpr std::array<std::string_view, 2> kTypes = {"Recreate", "RollingUpdate"};
  const Field rolling = strategy["rollingUpdate"];
  const std::string type = strategy["type"].Text();
  if (type == "Recreate") {
    if (rolling.IsSet())
      rolling.Forbidden("may not be specified when strategy `type` is 'Recreate'");
  } else if (type == "RollingUpdate") {
    if (!rolling.IsSet()) return rolling.Required("this should be defaulted and never be nil");
    CheckIntOrPercent(rolling["maxUnavailable"]);
    CheckIntOrPercent(rolling["maxSurge"]);
    if (IsZeroIntOrPercent(rolling["maxUnavailable"]) && IsZeroIntOrPercent(rolling["maxSurge"]))
      rolling["maxUnavailable"].Invalid("may not be 0 when `maxSurge` is 0");
    CheckAtMostAll(rolling["maxUnavailable"]);
  } else {
    strategy.NotSupported(GoText(strategy.value(), kStrategy), kTypes);
  }
}

void ValidateDeployment(const json& object, Problems& problems) {
  const Field spec = Field(object, problems)["spec"];
  spec["replicas"].AtLeast(0, kNotNegative);
  CheckSelectedTemplate(spec, "ReplicaSet");
  CheckDeploymentStrategy(spec["strategy"]);
  spec["minReadySeconds"].AtLeast(0, kNotNegative);
  spec["revisionHistoryLimit"].AtLeast(0, kNotNegative);
  const Field deadline = spec["progressDeadlineSeconds"];
  if (!deadline.IsSet()) return;
  deadline.AtLeast(0, kNotNegative);
  if (deadline.Number() <= spec["minReadySeconds"].Number())
    deadline.Invalid("must be greater than minReadySeconds");
}

void ValidateReplicaSet(const json& object, Problems& problems) {
  const Field spec = Field(object, problems)["spec"];
  spec["replicas"].AtLeast(0, kNotNegative);
  spec["minReadySeconds"].AtLeast(0, kNotNegative);
  CheckSelectedTemplate(spec, "ReplicaSet");
}

void CheckDaemonStrategy(const Field& strategy) {
  static constexpr std::array<std::string_view, 2> kTypes = {"RollingUpdate", "OnDelete"};
  const std::string type = strategy["type"].Text();
  if (type == "OnDelete") return;
  if (type != "RollingUpdate")
    return strategy.NotSupported(GoText(strategy.value(), kStrategy), kTypes);
  const Field rolling = strategy["rollingUpdate"];
  if (!rolling.IsSet()) return rolling.Required();
  const Field surge = rolling["maxSurge"];
  const Field unavailable = rolling["maxUnavailable"];
  CheckIntOrPercent(unavailable);
  CheckIntOrPercent(surge);
  const bool some_unavailable = !IsZeroIntOrPercent(unavailable);
  const bool some_surge = !IsZeroIntOrPercent(surge);
  if (some_unavailable && some_surge)
    surge.Invalid("may not be set when maxUnavailable is non-zero");
  else if (!some_unavailable && !some_surge)
    unavailable.Required("cannot be 0 when maxSurge is 0");
  CheckAtMostAll(unavailable);
  CheckAtMostAll(surge);
}

void ValidateDaemonSet(const json& object, Problems& problems) {
  const Field spec = Field(object, problems)["spec"];
  CheckLabelSelector(spec["selector"]);
  if (const auto selector = Compiled(spec["selector"])) CheckMatches(*selector, spec["template"]);
  if (spec["selector"].IsSet()) CheckNotEmpty(spec["selector"], "daemonset");
  CheckRunsForever(spec["template"], "DaemonSet");
  spec["minReadySeconds"].AtLeast(0, kNotNegative);
  CheckDaemonStrategy(spec["updateStrategy"]);
  spec["revisionHistoryLimit"].AtLeast(0, kNotNegative);
}

void ValidateStatefulSet(const json& object, Problems& problems) {
  const Field spec = Field(object, problems)["spec"];
  const Field order = spec["podManagementPolicy"];
  if (order.Text() != "OrderedReady" && order.Text() != "Parallel")
    order.Invalid("must be 'OrderedReady' or 'Parallel'");
  const Field strategy = spec["updateStrategy"];
  const std::string type = strategy["type"].Text();
  if (type != "RollingUpdate" && type != "OnDelete")
    strategy.Invalid(GoText(strategy.value(), kSetStrategy),
                     "must be 'RollingUpdate' or 'OnDelete'");
  strategy["rollingUpdate"]["partition"].AtLeast(0, kNotNegative);
  spec["replicas"].AtLeast(0, kNotNegative);
  spec["minReadySeconds"].AtLeast(0, kNotNegative);
  spec["ordinals"]["start"].At("spec.ordinals.start").AtLeast(0, kNotNegative);
  if (!spec["serviceName"].IsEmpty()) spec["serviceName"].Named(CheckDnsLabel);
  CheckSelectedTemplate(spec, "StatefulSet");
}

void ValidateSelectorChange(const json& object, const json& old, Problems& problems) {
  Field(object, problems)["spec"]["selector"].Unchanged(Field(old, problems)["spec"]["selector"]);
}

void ValidateStatefulSetChange(const json& object, const json& old, Problems& problems) {
  json now = object.value("spec", json::object());
  json before = old.value("spec", json::object());
  for (json* spec : {&now, &before}) {
    for (const char* field :
         {"replicas", "ordinals", "template", "updateStrategy", "revisionHistoryLimit",
          "persistentVolumeClaimRetentionPolicy", "minReadySeconds"}) {
      spec->erase(field);
    }
  }
  if (now == before) return;
  Field(object, problems)["spec"].Forbidden(
      "updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template', "
      "'updateStrategy', 'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' and "
      "'minReadySeconds' are forbidden");
}

void ValidatePart(std::string_view subresource, const json& object, const json& /*old*/,
                  Problems& problems) {
  if (subresource == "status")
    CheckWorkloadStatus(Field(object, problems)["status"], TextAt(object, "kind"));
}

void PrepareDaemonSet(json& object, Time /*now*/) {
  object["metadata"]["annotations"]["deprecated.daemonset.template.generation"] = "1";
}

}  // namespace

void CheckSelectedTemplate(const Field& spec, std::string_view kind) {
  const Field selector = spec["selector"];
  if (!selector.IsSet()) {
    selector.Required();
  } else {
    CheckLabelSelector(selector);
    CheckNotEmpty(selector, kind == "StatefulSet" ? "statefulset" : "deployment");
  }
  const auto compiled = Compiled(selector);
  if (!compiled) return selector.Invalid("invalid label selector");
  CheckMatches(*compiled, spec["template"]);
  CheckRunsForever(spec["template"], kind);
}

const Strategy* WorkloadStrategy(const KindInfo& kind) {
  static const std::map<std::string, Strategy, std::less<>> kTable = {
      {"Deployment",
       {.validate = ValidateDeployment,
        .validate_update = ValidateSelectorChange,
        .validate_part = ValidatePart}},
      {"ReplicaSet",
       {.validate = ValidateReplicaSet,
        .validate_update = ValidateSelectorChange,
        .validate_part = ValidatePart}},
      {"DaemonSet",
       {.prepare_create = PrepareDaemonSet,
        .validate = ValidateDaemonSet,
        .validate_update = ValidateSelectorChange,
        .validate_part = ValidatePart}},
      {"StatefulSet",
       {.validate = ValidateStatefulSet,
        .validate_update = ValidateStatefulSetChange,
        .validate_part = ValidatePart}},
  };
  if (kind.group != "apps") return nullptr;
  const auto found = kTable.find(kind.kind);
  return found == kTable.end() ? nullptr : &found->second;
}

}  // namespace berth::apiserver
