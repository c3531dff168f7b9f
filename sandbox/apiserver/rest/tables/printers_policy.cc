// SPDX-License-Identifier: Apache-2.0
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
  };
  const auto found = kPrinters.find(key);
  return found == kPrinters.end() ? nullptr : &found->second;
}

}  // namespace berth::apiserver
