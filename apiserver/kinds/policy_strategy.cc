// SPDX-License-Identifier: Apache-2.0
#include <map>
#include <string>

#include <nlohmann/json.hpp>

#include "apiserver/kinds/strategy.h"

namespace berth::apiserver {
namespace {

using nlohmann::json;

void ValidateRoleBinding(const json& object, Problems& problems) {
  if (TextAt(object, "roleRef/name").empty()) problems.push_back(RequiredField("roleRef.name"));
  const std::string kind = TextAt(object, "roleRef/kind");
  if (kind != "Role" && kind != "ClusterRole") {
    problems.push_back({"roleRef.kind", "FieldValueNotSupported",
                        "Unsupported value: " + json(kind).dump() +
                            ": supported values: \"ClusterRole\", \"Role\""});
  }
  const json* subjects = At(object, "subjects");
  if (subjects == nullptr || !subjects->is_array()) return;
  for (size_t i = 0; i < subjects->size(); ++i) {
    const json& subject = (*subjects)[i];
    const std::string path = "subjects[" + std::to_string(i) + "]";
    if (subject.value("name", "").empty()) problems.push_back(RequiredField(path + ".name"));
    const bool cluster = TextAt(object, "metadata/namespace").empty();
    if (cluster && subject.value("kind", "") == "ServiceAccount" &&
        subject.value("namespace", "").empty()) {
      problems.push_back(RequiredField(path + ".namespace"));
    }
  }
}

void ValidateRoleBindingUpdate(const json& object, const json& old, Problems& problems) {
  if (object.value("roleRef", json()) == old.value("roleRef", json())) return;
  // Go's own form of the struct, which has no names for JSON here.
  const json shown = {{"APIGroup", TextAt(object, "roleRef/apiGroup")},
                      {"Kind", TextAt(object, "roleRef/kind")},
                      {"Name", TextAt(object, "roleRef/name")}};
  problems.push_back(InvalidField("roleRef", shown.dump(), "cannot change roleRef"));
}

void ValidateRole(const json& object, Problems& problems) {
  const json* rules = At(object, "rules");
  if (rules == nullptr || !rules->is_array()) return;
  for (size_t i = 0; i < rules->size(); ++i) {
    const json& rule = (*rules)[i];
    const std::string path = "rules[" + std::to_string(i) + "]";
    const auto empty = [&rule](const char* field) {
      return !rule.contains(field) || rule[field].empty();
    };
    if (empty("verbs"))
      problems.push_back(RequiredField(path + ".verbs", "verbs must contain at least one value"));
    if (!empty("nonResourceURLs")) continue;
    if (empty("apiGroups")) {
      problems.push_back(
          RequiredField(path + ".apiGroups", "resource rules must supply at least one api group"));
    }
    if (empty("resources")) {
      problems.push_back(
          RequiredField(path + ".resources", "resource rules must supply at least one resource"));
    }
  }
}

void ValidatePriorityClassUpdate(const json& object, const json& old, Problems& problems) {
  if (object.value("value", 0) != old.value("value", 0)) {
    problems.push_back(ForbiddenField("value", "may not be changed in an update."));
  }
  CheckUnchanged(object, old, "preemptionPolicy", problems);
}

void ValidateStorageClassUpdate(const json& object, const json& old, Problems& problems) {
  for (const char* field : {"provisioner", "parameters", "reclaimPolicy", "volumeBindingMode"}) {
    if (object.value(field, json()) == old.value(field, json())) continue;
    problems.push_back(
        ForbiddenField(field, "updates to " + std::string(field) + " are forbidden."));
  }
}

void ValidateLease(const json& object, Problems& problems) {
  const auto positive = [&](const char* field) {
    const json* value = At(object, std::string("spec/") + field);
    if (value != nullptr && value->is_number_integer() && value->get<int64_t>() <= 0) {
      problems.push_back(
          InvalidField(std::string("spec.") + field, value->dump(), "must be greater than 0"));
    }
  };
  positive("leaseDurationSeconds");
  const int64_t transitions = IntAt(object, "spec/leaseTransitions");
  if (transitions < 0) {
    problems.push_back(InvalidField("spec.leaseTransitions", std::to_string(transitions),
                                    "must be greater than or equal to 0"));
  }
}

void ValidateBudget(const json& object, Problems& problems) {
  if (At(object, "spec/minAvailable") == nullptr || At(object, "spec/maxUnavailable") == nullptr)
    return;
  problems.push_back(InvalidField("spec", object["spec"].dump(),
                                  "minAvailable and maxUnavailable cannot be both set"));
}

const std::map<std::string, Strategy, std::less<>>& Table() {
  using Rule = Strategy::NameRule;
  static const Strategy kBinding = {Rule::kPathSegment, nullptr, nullptr, ValidateRoleBinding,
                                    ValidateRoleBindingUpdate};
  static const Strategy kRole = {Rule::kPathSegment, nullptr, nullptr, ValidateRole, nullptr};
  static const std::map<std::string, Strategy, std::less<>> kTable = {
      {"Role", kRole},
      {"ClusterRole", kRole},
      {"RoleBinding", kBinding},
      {"ClusterRoleBinding", kBinding},
      {"PriorityClass", {Rule::kSubdomain, nullptr, nullptr, nullptr, ValidatePriorityClassUpdate}},
      {"StorageClass", {Rule::kSubdomain, nullptr, nullptr, nullptr, ValidateStorageClassUpdate}},
      {"Lease", {Rule::kSubdomain, nullptr, nullptr, ValidateLease, nullptr}},
      {"PodDisruptionBudget", {Rule::kSubdomain, nullptr, nullptr, ValidateBudget, nullptr}},
  };
  return kTable;
}

}  // namespace

const Strategy* PolicyStrategy(const KindInfo& kind) {
  if (kind.group.empty() || kind.group == "apps") return nullptr;
  const auto found = Table().find(kind.kind);
  return found == Table().end() ? nullptr : &found->second;
}

}  // namespace berth::apiserver
