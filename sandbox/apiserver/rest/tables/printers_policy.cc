// SPDX-License-Identifier: Apache-2.0
#include <map>

#include <nlohmann/json.hpp>

#include "sandbox/apiserver/document.h"
#include "sandbox/apiserver/rest/tables/printer.h"

namespace berth::apiserver {
namespace {

using nlohmann::json;

Cells RoleBinding(const json& object, Time now) {
  std::vector<std::string> users, groups, accounts;
  for (const json& subject : object.value("subjects", json::array())) {
    const std::string kind = subject.value("kind", "");
    if (kind == "User")
      users.push_back(subject.value("name", ""));
    else if (kind == "Group")
      groups.push_back(subject.value("name", ""));
    else
      accounts.push_back(subject.value("namespace", "") + "/" + subject.value("name", ""));
  }
  return {NameCell(object),
          TextAt(object, "roleRef/kind") + "/" + TextAt(object, "roleRef/name"),
          AgeCell(object, now),
          JoinTexts(users, ", "),
          JoinTexts(groups, ", "),
          JoinTexts(accounts, ", ")};
}

std::string AmountText(const json* amount) {
  if (amount == nullptr) return "N/A";
  return amount->is_string() ? amount->get<std::string>() : amount->dump();
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
Cells StorageClass(const json& object, Time now) {
  std::string name = NameCell(object);
  const json* annotations = At(object, "metadata/annotations");
  if (annotations != nullptr &&
      annotations->value("storageclass.kubernetes.io/is-default-class", "") == "true")
    name += " (default)";
  return {name,
          object.value("provisioner", ""),
          object.value("reclaimPolicy", "Delete"),
          object.value("volumeBindingMode", "Immediate"),
          object.value("allowVolumeExpansion", false),
          AgeCell(object, now)};
}
Cells CsiNode(const json& object, Time now) {
  const json* drivers = At(object, "spec/drivers");
  return {NameCell(object), drivers == nullptr ? 0 : drivers->size(), AgeCell(object, now)};
}
Cells Policy(const json& object, Time now) {
  const json* validations = At(object, "spec/validations");
  const std::string kind = TextAt(object, "spec/paramKind/kind");
  return {NameCell(object), validations == nullptr ? 0 : validations->size(),
          kind.empty() ? "<unset>" : TextAt(object, "spec/paramKind/apiVersion") + "/" + kind,
          AgeCell(object, now)};
}
Cells PolicyBinding(const json& object, Time now) {
  const std::string name = TextAt(object, "spec/paramRef/name");
  return {NameCell(object), TextAt(object, "spec/policyName"),
          At(object, "spec/paramRef") == nullptr
              ? "<unset>"
              : TextAt(object, "spec/paramRef/namespace") + "/" + name,
          AgeCell(object, now)};
}
Cells NetworkPolicy(const json& object, Time now) {
  return {NameCell(object), SelectorText(At(object, "spec/podSelector")), AgeCell(object, now)};
}
Cells Slice(const json& object, Time now) {
  std::vector<std::string> ports, addresses;
  for (const json& port : object.value("ports", json::array()))
    ports.push_back(std::to_string(port.value("port", 0)));
  for (const json& endpoint : object.value("endpoints", json::array())) {
    for (const json& address : endpoint.value("addresses", json::array()))
      addresses.push_back(address.get<std::string>());
  }
  return {NameCell(object), object.value("addressType", ""),
          ports.empty() ? "<unset>" : JoinTexts(ports),
          addresses.empty() ? "<unset>" : JoinTexts(addresses), AgeCell(object, now)};
}
Cells Claim(const json& object, Time now) {
  std::vector<std::string> states;
  if (At(object, "metadata/deletionTimestamp") != nullptr) states.push_back("deleted");
  if (At(object, "status/allocation") == nullptr) {
    if (states.empty()) states.push_back("pending");
  } else {
    states.push_back("allocated");
    const json* users = At(object, "status/reservedFor");
    if (users != nullptr && !users->empty()) states.push_back("reserved");
  }
  return {NameCell(object), JoinTexts(states), AgeCell(object, now)};
}
Cells ResourceSlice(const json& object, Time now) {
  const std::string node = TextAt(object, "spec/nodeName");
  return {NameCell(object), node.empty() ? "<unset>" : node, TextAt(object, "spec/driver"),
          TextAt(object, "spec/pool/name"), AgeCell(object, now)};
}

const Column kName = {"Name", "string", "name"};
const Column kAge = {"Age"};
Column Text(const char* name, int priority = 0) { return {name, "string", "", "", priority}; }
Column Typed(const char* name, const char* type) { return {name, type, "", "", 0}; }

}  // namespace

const Printer* PolicyPrinter(const std::string& key) {
  static const std::vector<Column> kBinding = {
      kName, Text("Role"), kAge, Text("Users", 1), Text("Groups", 1), Text("ServiceAccounts", 1)};
  static const std::string kAdmission = "admissionregistration.k8s.io/";
  static const std::map<std::string, Printer> kPrinters = {
      {"rbac.authorization.k8s.io/RoleBinding", {kBinding, RoleBinding}},
      {"rbac.authorization.k8s.io/ClusterRoleBinding", {kBinding, RoleBinding}},
      {"policy/PodDisruptionBudget",
       {{kName, Text("Min Available"), Text("Max Unavailable"),
         Typed("Allowed Disruptions", "integer"), kAge},
        Budget}},
      {"coordination.k8s.io/Lease", {{kName, Text("Holder"), kAge}, Lease}},
      {"scheduling.k8s.io/PriorityClass",
       {{kName, Typed("Value", "integer"), Typed("Global-Default", "boolean"), kAge,
         Text("PreemptionPolicy")},
        PriorityClass}},
      {"storage.k8s.io/StorageClass",
       {{kName, Text("Provisioner"), Text("ReclaimPolicy"), Text("VolumeBindingMode"),
         Text("AllowVolumeExpansion"), kAge},
        StorageClass}},
      {"storage.k8s.io/CSINode", {{kName, Typed("Drivers", "integer"), kAge}, CsiNode}},
      {kAdmission + "ValidatingAdmissionPolicy",
       {{kName, Typed("Validations", "integer"), Text("ParamKind"), kAge}, Policy}},
      {kAdmission + "ValidatingAdmissionPolicyBinding",
       {{kName, Text("PolicyName"), Text("ParamRef"), kAge}, PolicyBinding}},
      {"networking.k8s.io/NetworkPolicy", {{kName, Text("Pod-Selector"), kAge}, NetworkPolicy}},
      {"discovery.k8s.io/EndpointSlice",
       {{kName, Text("AddressType"), Text("Ports"), Text("Endpoints"), kAge}, Slice}},
      {"resource.k8s.io/ResourceClaim", {{kName, Text("State"), kAge}, Claim}},
      {"resource.k8s.io/ResourceSlice",
       {{kName, Text("Node"), Text("Driver"), Text("Pool"), kAge}, ResourceSlice}},
  };
  const auto found = kPrinters.find(key);
  return found == kPrinters.end() ? nullptr : &found->second;
}

}  // namespace berth::apiserver
