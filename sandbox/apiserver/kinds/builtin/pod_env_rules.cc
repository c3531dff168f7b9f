// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>

#include <nlohmann/json.hpp>

#include "base/quantity.h"
#include "sandbox/apiserver/kinds/builtin/pod_rules.h"

// The environment and the resources of a container.
namespace berth::apiserver {
namespace {

// A resource without a domain has one of these names.
constexpr std::array<std::string_view, 3> kContainerResources = {"cpu", "memory",
                                                                 "ephemeral-storage"};
constexpr std::string_view kHugePages = "hugepages-";

NameProblems CheckVariableName(std::string_view name) {
  const bool fits = std::all_of(name.begin(), name.end(),
                                [](char c) { return c >= ' ' && c <= '~' && c != '='; });
  if (fits) return {};
  return {
      "a valid environment variable name must consist only of printable ASCII characters other "
      "than '='"};
}

void CheckKeyOf(const Field& reference) {
  const Field name = reference["name"];
  for (const std::string& why : CheckDnsSubdomain(name.Text()))
    name.Invalid(Quoted(name.Text()), why);
  if (reference["key"].Require()) reference["key"].Named(CheckDataKey);
}

void CheckSource(const Field& variable) {
  const Field source = variable["valueFrom"];
  if (!source.IsSet()) return;
  size_t count = 0;
  const auto has = [&](const char* name) {
    count += source[name].IsSet();
    return source[name].IsSet();
  };
  if (has("fieldRef")) CheckFieldPath(source["fieldRef"], false);
  if (has("resourceFieldRef")) source["resourceFieldRef"]["resource"].Require();
  if (has("configMapKeyRef")) CheckKeyOf(source["configMapKeyRef"]);
  if (has("secretKeyRef")) CheckKeyOf(source["secretKeyRef"]);
  has("fileKeyRef");
  if (count == 0) {
    source.Invalid(Quoted(""),
                   "must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef`, "
                   "`secretKeyRef` or `fileKeyRef`");
  } else if (!variable["value"].IsEmpty()) {
    source.Invalid(Quoted(""), "may not be specified when `value` is not empty");
  } else if (count > 1) {
    source.Invalid(Quoted(""), "may not have more than one field specified at a time");
  }
}

void CheckSources(const Field& sources) {
  for (const Field& source : sources.Items()) {
    if (!source["prefix"].IsEmpty()) source["prefix"].Named(CheckVariableName);
    size_t count = 0;
    for (const char* name : {"configMapRef", "secretRef"}) {
      if (!source[name].IsSet()) continue;
      ++count;
      const Field object = source[name]["name"];
      if (object.Require()) object.Named(CheckDnsSubdomain);
    }
    if (count == 0)
      sources.Invalid(Quoted(""), "must specify one of: `configMapRef` or `secretRef`");
    else if (count > 1)
      sources.Invalid(Quoted(""), "may not have more than one field specified at a time");
  }
}

bool IsNative(const std::string& name) {
  return name.find('/') == std::string::npos || name.find("kubernetes.io/") != std::string::npos;
}

// What a container asks for of these can be more than there is.
bool MayOvercommit(const std::string& name) {
  return IsNative(name) && !name.starts_with(kHugePages);
}

void CompareWithLimit(const Field& resources, const std::string& name, const std::string& asked) {
  const Field limits = resources["limits"];
  const Field limit = limits[name];
  if (!limit.IsSet()) {
    if (!MayOvercommit(name)) limits.Required("Limit must be set for non overcommitable resources");
    return;
  }
  const auto wanted = Quantity::Parse(asked);
  const auto most = Quantity::Parse(limit.Text());
  if (!wanted || !most) return;
  const Field requests = resources["requests"];
  const std::string rest = name + " limit of " + most->ToString();
  if (*wanted != *most && !MayOvercommit(name))
    requests.Invalid(Quoted(wanted->ToString()), "must be equal to " + rest);
  else if (*wanted > *most)
    requests.Invalid(Quoted(wanted->ToString()), "must be less than or equal to " + rest);
}

}  // namespace

void CheckResourceName(const Field& amount, const std::string& name) {
  for (const std::string& why : CheckQualifiedName(name)) amount.Invalid(Quoted(name), why);
  if (name.find('/') != std::string::npos || name.starts_with(kHugePages)) return;
  if (std::find(kContainerResources.begin(), kContainerResources.end(), name) !=
      kContainerResources.end())
    return;
  amount.Invalid(Quoted(name), "must be a standard resource type or fully qualified");
  amount.Invalid(Quoted(name), "must be a standard resource for containers");
}

bool CheckAmount(const Field& amount) {
  const auto quantity = Quantity::Parse(amount.Text());
  if (!quantity || *quantity >= Quantity()) return true;
  amount.Invalid(Quoted(quantity->ToString()), std::string(kNotNegative));
  return false;
}

void CheckResources(const Field& resources) {
  for (const char* list : {"limits", "requests"}) {
    for (const Field::Entry& entry : resources[list].Entries()) {
      CheckResourceName(entry.value, entry.key);
      CheckAmount(entry.value);
      const auto quantity = Quantity::Parse(entry.value.Text());
      if (quantity && !IsNative(entry.key) && quantity->MilliValue() % 1000 != 0)
        entry.value.Invalid(Quoted(quantity->ToString()), "must be an integer");
      if (std::string_view(list) == "requests")
        CompareWithLimit(resources, entry.key, entry.value.Text());
    }
  }
}

void CheckEnvironment(const Field& container) {
  for (const Field& variable : container["env"].Items()) {
    if (variable["name"].Require()) variable["name"].Named(CheckVariableName);
    CheckSource(variable);
  }
  CheckSources(container["envFrom"]);
}

void CheckFieldPath(const Field& reference, bool whole_maps) {
  static constexpr std::array<std::string_view, 14> kKnown = {
      "metadata.annotations", "metadata.labels", "metadata.name",      "metadata.namespace",
      "metadata.uid",         "spec.nodeName",   "spec.restartPolicy", "spec.serviceAccountName",
      "spec.schedulerName",   "status.phase",    "status.hostIP",      "status.hostIPs",
      "status.podIP",         "status.podIPs"};
  static constexpr std::array<std::string_view, 9> kOfVariables = {"metadata.name",
                                                                   "metadata.namespace",
                                                                   "metadata.uid",
                                                                   "spec.nodeName",
                                                                   "spec.serviceAccountName",
                                                                   "status.hostIP",
                                                                   "status.hostIPs",
                                                                   "status.podIP",
                                                                   "status.podIPs"};
  static constexpr std::array<std::string_view, 5> kOfVolumes = {
      "metadata.annotations", "metadata.labels", "metadata.name", "metadata.namespace",
      "metadata.uid"};
  const Field path = reference["fieldPath"];
  if (!path.Require()) return;
  const std::string text = path.Text();
  const std::string base = text.substr(0, text.find("['"));
  if (base != text && (base == "metadata.annotations" || base == "metadata.labels")) return;
  if (std::find(kKnown.begin(), kKnown.end(), text) == kKnown.end())
    path.Invalid("error converting fieldPath: field label not supported: " + text);
  else if (whole_maps)
    path.OneOf(kOfVolumes);
  else
    path.OneOf(kOfVariables);
}

}  // namespace berth::apiserver
