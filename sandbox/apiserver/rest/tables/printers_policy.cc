// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>

#include <nlohmann/json.hpp>

#include "sandbox/apiserver/document.h"
#include "sandbox/apiserver/rest/tables/printer.h"

namespace berth::apiserver {
namespace {

using nlohmann::json;

Cells RoleBinding(const json& object, Time now) {
  return {NameCell(object), TextAt(object, "roleRef/kind") + "/" + TextAt(object, "roleRef/name"),
          AgeCell(object, now)};
}

std::string AmountText(const json* amount) {
  if (amount == nullptr) return "N/A";
  return amount->is_string() ? amount->get<std::string>() : DocumentText(*amount);
}

Cells Budget(const json& object, Time now) {
  return {NameCell(object), AmountText(At(object, "spec/minAvailable")),
          AmountText(At(object, "spec/maxUnavailable")), IntAt(object, "status/disruptionsAllowed"),
          AgeCell(object, now)};
}
Cells Lease(const json& object, Time now) {
  return {NameCell(object), TextAt(object, "spec/holderIdentity"), AgeCell(object, now)};
}
Cells PriorityClass(const json& object, Time now) {
  return {NameCell(object), IntAt(object, "value"), object.value("globalDefault", false),
          AgeCell(object, now), object.value("preemptionPolicy", "")};
}

// Source: apiextensions-apiserver pkg/registry/customresourcedefinition/tableconvertor.
Cells Definition(const json& object, Time /*now*/) {
  std::vector<std::string> versions;
  for (const json& version : object["spec"]["versions"]) {
    if (!version.value("served", false)) continue;
    versions.push_back(TextAt(version, "name") +
                       (version.value("storage", false) ? "(storage)" : ""));
  }
  std::sort(versions.begin(), versions.end());
  const json& names = object["spec"]["names"];
  const json* conditions = At(object, "status/conditions");
  const bool established =
      conditions != nullptr &&
      std::any_of(conditions->begin(), conditions->end(), [](const json& condition) {
        return condition.value("type", "") == "Established" &&
               condition.value("status", "") == "True";
      });
  return {NameCell(object),
          TextAt(object, "spec/scope"),
          JoinTexts(versions),
          TextAt(object, "metadata/creationTimestamp"),
          TextAt(object, "spec/group"),
          TextAt(names, "kind"),
          JoinTexts(names.value("shortNames", std::vector<std::string>())),
          established};
}

}  // namespace

const Printer* PolicyPrinter(const std::string& key) {
  static const std::vector<Column> kBinding = {NameColumn(), TextColumn("Role"), AgeColumn()};
  static const std::map<std::string, Printer> kPrinters = {
      {"rbac.authorization.k8s.io/RoleBinding", {kBinding, RoleBinding}},
      {"rbac.authorization.k8s.io/ClusterRoleBinding", {kBinding, RoleBinding}},
      {"policy/PodDisruptionBudget",
       {{NameColumn(), TextColumn("Min Available"), TextColumn("Max Unavailable"),
         TypedColumn("Allowed Disruptions", "integer"), AgeColumn()},
        Budget}},
      {"coordination.k8s.io/Lease", {{NameColumn(), TextColumn("Holder"), AgeColumn()}, Lease}},
      {"scheduling.k8s.io/PriorityClass",
       {{NameColumn(), TypedColumn("Value", "integer"), TypedColumn("Global-Default", "boolean"),
         AgeColumn(), TextColumn("PreemptionPolicy")},
        PriorityClass}},
      {"apiextensions.k8s.io/CustomResourceDefinition",
       {{NameColumn(),
         TextColumn("Scope"),
         TextColumn("Versions"),
         TypedColumn("Created At", "date"),
         TextColumn("Group", 1),
         TextColumn("Kind", 1),
         TextColumn("ShortNames", 1),
         {"Established", "boolean", "", "", 1}},
        Definition}},
  };
  const auto found = kPrinters.find(key);
  return found == kPrinters.end() ? nullptr : &found->second;
}

}  // namespace berth::apiserver
