// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <limits>

#include <nlohmann/json.hpp>

#include "sandbox/apiserver/go/go_value.h"
#include "sandbox/apiserver/kinds/builtin/pod_rules.h"

namespace berth::apiserver {
namespace {

using Names = std::set<std::string>;

constexpr int64_t kMaxInt32 = std::numeric_limits<int32_t>::max();
constexpr const char* kOnlyRestartable =
    "may not be set for init containers without restartPolicy=Always";

constexpr GoField kSecurityContext[] = {
    {"Capabilities", "capabilities"},
    {"Privileged", "privileged"},
    {"SELinuxOptions", "seLinuxOptions"},
    {"WindowsOptions", "windowsOptions"},
    {"RunAsUser", "runAsUser"},
    {"RunAsGroup", "runAsGroup"},
    {"RunAsNonRoot", "runAsNonRoot"},
    {"ReadOnlyRootFilesystem", "readOnlyRootFilesystem"},
    {"AllowPrivilegeEscalation", "allowPrivilegeEscalation"},
    {"ProcMount", "procMount"},
    {"SeccompProfile", "seccompProfile"},
    {"AppArmorProfile", "appArmorProfile"},
};

void CheckPorts(const Field& ports) {
  Names names;
  for (const Field& port : ports.Items()) {
    const Field name = port["name"];
    if (!name.IsEmpty() && name.Named(CheckPortName) && !names.insert(name.Text()).second)
      name.Duplicate();
    if (port["containerPort"].Number() == 0)
      port["containerPort"].Required();
    else
      port["containerPort"].InRange(1, 65535);
    if (port["hostPort"].Number() != 0) port["hostPort"].InRange(1, 65535);
    port["protocol"].OneOf({"SCTP", "TCP", "UDP"});
  }
}

// Two containers cannot listen at the same port of the host.
void CheckHostPorts(const std::vector<Field>& containers) {
  Names taken;
  for (const Field& container : containers) {
    for (const Field& port : container["ports"].Items()) {
      const Field host = port["hostPort"];
      if (host.Number() == 0) continue;
      const std::string key = port["protocol"].Text() + "/" + port["hostIP"].Text() + "/" +
                              std::to_string(host.Number());
      if (!taken.insert(key).second)
        host.problems().push_back(api::FieldError::Duplicate(host.path(), key));
    }
  }
}

void CheckMounts(const Field& mounts, const Names& volumes) {
  Names paths;
  for (const Field& mount : mounts.Items()) {
    const Field name = mount["name"];
    const Field path = mount["mountPath"];
    name.Require();
    if (!volumes.contains(name.Text())) name.NotFound();
    path.Require();
    if (!paths.insert(path.Text()).second) path.Invalid("must be unique");
    if (!mount["subPath"].IsEmpty())
      CheckRelativePath(mount["subPath"].At(mounts.path() + ".subPath"));
    const Field expression = mount["subPathExpr"];
    if (expression.IsEmpty()) continue;
    if (!mount["subPath"].IsEmpty())
      expression.Invalid("subPathExpr and subPath are mutually exclusive");
    CheckRelativePath(expression.At(mounts.path() + ".subPathExpr"));
  }
}

void CheckSecurityContext(const Field& context) {
  if (!context.IsSet()) return;
  context["runAsUser"].InRange(0, kMaxInt32);
  context["runAsGroup"].InRange(0, kMaxInt32);
  context["procMount"].OneOf({"Default", "Unmasked"});
  const Field escalation = context["allowPrivilegeEscalation"];
  if (!escalation.IsSet() || escalation.IsTrue()) return;
  if (context["privileged"].IsTrue()) {
    context.Invalid(GoText(context.value(), kSecurityContext),
                    "cannot set `allowPrivilegeEscalation` to false and `privileged` to true");
  }
  for (const Field& capability : context["capabilities"]["add"].Items()) {
    if (capability.Text() != "CAP_SYS_ADMIN") continue;
    context.Invalid(GoText(context.value(), kSecurityContext),
                    "cannot set `allowPrivilegeEscalation` to false and `capabilities.Add` "
                    "CAP_SYS_ADMIN");
  }
}

void CheckContainer(const Field& container, const Names& volumes) {
  if (container["name"].Require()) container["name"].Named(CheckDnsLabel);
  container["image"].Require();
  container["terminationMessagePolicy"].OneOf({"File", "FallbackToLogsOnError"});
  CheckPorts(container["ports"]);
  CheckEnvironment(container);
  container["imagePullPolicy"].OneOf({"Always", "IfNotPresent", "Never"});
  CheckResources(container["resources"]);
  CheckMounts(container["volumeMounts"], volumes);
  CheckSecurityContext(container["securityContext"]);
}

void CheckName(const Field& container, Names& names) {
  const Field name = container["name"];
  if (!names.insert(name.Text()).second) name.Duplicate();
}

}  // namespace

void CheckContainers(const Field& spec, const Names& volumes) {
  Names names;
  const int64_t grace = spec["terminationGracePeriodSeconds"].Number();
  const Field containers = spec["containers"];
  containers.Require();
  for (const Field& container : containers.Items()) {
    CheckContainer(container, volumes);
    CheckName(container, names);
    CheckLifecycleAndProbes(container, grace);
  }
  CheckHostPorts(containers.Items());
  for (const Field& container : spec["initContainers"].Items()) {
    CheckContainer(container, volumes);
    CheckName(container, names);
    CheckHostPorts({container});
    if (container["restartPolicy"].Text() == "Always") {
      CheckLifecycleAndProbes(container, grace);
      continue;
    }
    for (const char* field : {"lifecycle", "livenessProbe", "readinessProbe", "startupProbe"}) {
      if (container[field].IsSet()) container[field].Forbidden(kOnlyRestartable);
    }
  }
}

NameProblems CheckPortName(std::string_view name) {
  constexpr size_t kMaxLength = 15;
  NameProblems problems;
  if (name.size() > kMaxLength) problems.push_back("must be no more than 15 characters");
  const auto is_letter = [](char c) { return c >= 'a' && c <= 'z'; };
  const bool plain = !name.empty() && std::all_of(name.begin(), name.end(), [&](char c) {
    return is_letter(c) || (c >= '0' && c <= '9') || c == '-';
  });
  if (!plain)
    problems.push_back("must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)");
  if (std::none_of(name.begin(), name.end(), is_letter))
    problems.push_back("must contain at least one letter (a-z)");
  if (name.find("--") != std::string_view::npos)
    problems.push_back("must not contain consecutive hyphens");
  if (name.starts_with('-') || name.ends_with('-'))
    problems.push_back("must not begin or end with a hyphen");
  return problems;
}

void CheckPortNameOrNumber(const Field& port) {
  if (port.value().is_string())
    port.Named(CheckPortName);
  else
    port.InRange(1, 65535);
}

}  // namespace berth::apiserver
