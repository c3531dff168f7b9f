// SPDX-License-Identifier: Apache-2.0
#include "sandbox/apiserver/kinds/builtin/pod_rules.h"

#include <algorithm>
#include <array>
#include <limits>

#include <nlohmann/json.hpp>
#include <re2/re2.h>

#include "sandbox/apiserver/kinds/builtin/addresses.h"

namespace berth::apiserver {
namespace {

using nlohmann::json;

constexpr int64_t kMaxInt32 = std::numeric_limits<int32_t>::max();
constexpr size_t kMaxSysctlName = 253;
constexpr const char* kSysctlPattern =
    "^([a-z0-9]([-_a-z0-9]*[a-z0-9])?[\\./])*[a-z0-9]([-_a-z0-9]*[a-z0-9])?$";

void CheckSysctls(const Field& sysctls) {
  static const re2::RE2 kName(kSysctlPattern);
  std::set<std::string> names;
  for (const Field& sysctl : sysctls.Items()) {
    const Field name = sysctl["name"];
    const std::string text = name.Text();
    if (text.empty()) {
      name.Required();
    } else if (text.size() > kMaxSysctlName || !re2::RE2::FullMatch(text, kName)) {
      name.Invalid(std::string("must have at most 253 characters and match regex ") +
                   kSysctlPattern);
    } else if (!names.insert(text).second) {
      name.Duplicate();
    }
  }
}

void CheckSecurity(const Field& security) {
  security["fsGroup"].InRange(0, kMaxInt32);
  security["runAsUser"].InRange(0, kMaxInt32);
  security["runAsGroup"].InRange(0, kMaxInt32);
  for (const Field& group : security["supplementalGroups"].Items()) group.InRange(0, kMaxInt32);
  CheckSysctls(security["sysctls"]);
  security["fsGroupChangePolicy"].OneOf({"OnRootMismatch", "Always"});
}

void CheckGates(const Field& gates) {
  std::set<std::string> names;
  for (const Field& gate : gates.Items()) {
    const std::string name = gate["name"].Text();
    gate["name"].At(gate.path()).Named(CheckQualifiedName);
    if (!names.insert(name).second) gate["name"].At(gate.path()).Duplicate();
  }
}

void CheckHostAliases(const Field& aliases) {
  for (const Field& alias : aliases.Items()) {
    if (FamilyOf(alias["ip"].Text()).empty())
      alias["ip"].Invalid(Quoted(alias["ip"].Text()), kNoAddress);
    for (const Field& name : alias["hostnames"].Items()) name.Named(CheckDnsSubdomain);
  }
}

void CheckNames(const Field& spec) {
  const auto named = [&spec](const char* field, NameProblems (*check)(std::string_view)) {
    if (!spec[field].IsEmpty()) spec[field].Named(check);
  };
  named("serviceAccountName", CheckDnsSubdomain);
  named("nodeName", CheckDnsSubdomain);
  spec["activeDeadlineSeconds"].InRange(1, kMaxInt32);
  named("hostname", CheckDnsLabel);
  named("subdomain", CheckDnsLabel);
  CheckTolerations(spec["tolerations"]);
  CheckHostAliases(spec["hostAliases"]);
  named("priorityClassName", CheckDnsSubdomain);
  named("runtimeClassName", CheckDnsSubdomain);
  spec["preemptionPolicy"].OneOf({"PreemptLowerPriority", "Never"});
  spec["os"]["name"].At(spec["os"].path()).OneOf({"linux", "windows"});
}

}  // namespace

std::string Quoted(std::string_view text) {
  return json(text).dump(-1, ' ', false, json::error_handler_t::replace);
}

void CheckPodSpec(const Field& spec) {
  CheckContainers(spec, CheckVolumes(spec["volumes"]));
  spec["restartPolicy"].OneOf({"Always", "OnFailure", "Never"});
  spec["dnsPolicy"].OneOf({"ClusterFirstWithHostNet", "ClusterFirst", "Default", "None"});
  CheckLabels(spec["nodeSelector"]);
  CheckSecurity(spec["securityContext"]);
  CheckAffinity(spec["affinity"]);
  for (const Field& gate : spec["readinessGates"].Items())
    gate["conditionType"].Named(CheckQualifiedName);
  CheckGates(spec["schedulingGates"]);
  CheckSpreadConstraints(spec["topologySpreadConstraints"]);
  CheckNames(spec);
}

void CheckPodTemplate(const Field& pod_template) {
  CheckLabels(pod_template["metadata"]["labels"].At(pod_template.path() + ".labels"));
  CheckPodSpec(pod_template["spec"]);
}

void CheckTaintEffect(const Field& effect, bool may_be_empty) {
  static constexpr std::array<std::string_view, 3> kEffects = {"NoSchedule", "PreferNoSchedule",
                                                               "NoExecute"};
  if (!effect.IsEmpty())
    effect.OneOf(kEffects);
  else if (!may_be_empty)
    effect.Required();
}

void CheckTolerations(const Field& tolerations) {
  for (const Field& toleration : tolerations.Items()) {
    const Field key = toleration["key"];
    const Field op = toleration["operator"];
    const Field value = toleration["value"];
    if (!key.IsEmpty()) key.Named(CheckQualifiedName);
    if (key.IsEmpty() && op.Text() != "Exists") {
      op.Invalid(Quoted(op.Text()),
                 "operator must be Exists when `key` is empty, which means \"match all values and "
                 "all keys\"");
    }
    if (toleration["tolerationSeconds"].IsSet() && toleration["effect"].Text() != "NoExecute") {
      toleration["effect"].Invalid(Quoted(toleration["effect"].Text()),
                                   "effect must be 'NoExecute' when `tolerationSeconds` is set");
    }
    if (op.Text() == "Exists") {
      if (!value.IsEmpty())
        op.Invalid(Quoted(value.Text()), "value must be empty when `operator` is 'Exists'");
    } else if (op.IsEmpty() || op.OneOf({"Equal", "Exists"})) {
      value.At(op.path()).Named(CheckLabelValue);
    }
    CheckTaintEffect(toleration["effect"], true);
  }
}

void CheckSpreadConstraints(const Field& constraints) {
  const std::vector<Field> all = constraints.Items();
  for (auto it = all.begin(); it != all.end(); ++it) {
    const Field& one = *it;
    const std::string when = one["whenUnsatisfiable"].Text();
    const std::string pair = "{" + one["topologyKey"].Text() + ", " + when + "}";
    if (one["maxSkew"].Number() <= 0)
      one["maxSkew"].Invalid(std::to_string(one["maxSkew"].Number()), "must be greater than zero");
    one["topologyKey"].Require("can not be empty");
    one["whenUnsatisfiable"].OneOf({"DoNotSchedule", "ScheduleAnyway"});
    const bool again = std::any_of(std::next(it), all.end(), [&pair](const Field& other) {
      return pair ==
             "{" + other["topologyKey"].Text() + ", " + other["whenUnsatisfiable"].Text() + "}";
    });
    if (again) {
      one.problems().push_back(
          api::FieldError::Duplicate(one.path() + ".{topologyKey, whenUnsatisfiable}", pair));
    }
    const Field least = one["minDomains"];
    if (least.IsSet() && least.Number() <= 0)
      least.Invalid("must be greater than zero");
    else if (least.IsSet() && when != "DoNotSchedule")
      least.Invalid("can only use minDomains if whenUnsatisfiable=DoNotSchedule, not " + when);
    one["nodeAffinityPolicy"].OneOf({"Honor", "Ignore"});
    one["nodeTaintsPolicy"].OneOf({"Honor", "Ignore"});
    const Field keys = one["matchLabelKeys"];
    if (!keys.IsEmpty() && !one["labelSelector"].IsSet())
      keys.Forbidden("must not be specified when labelSelector is not set");
    CheckLabelSelector(one["labelSelector"]);
  }
}

}  // namespace berth::apiserver
