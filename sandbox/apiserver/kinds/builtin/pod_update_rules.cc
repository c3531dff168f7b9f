// SPDX-License-Identifier: Apache-2.0
#include "sandbox/apiserver/kinds/builtin/pod_update_rules.h"

#include <set>

#include <nlohmann/json.hpp>

#include "sandbox/apiserver/kinds/builtin/pod_rules.h"
#include "sandbox/apiserver/kinds/kind_info.h"

namespace berth::apiserver {
namespace {

using nlohmann::json;

constexpr const char* kFrozen =
    "pod updates may not change fields other than `spec.containers[*].image`,"
    "`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` (only "
    "additions to existing tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set "
    "to 1 if it was previously negative)";

// Returns false if old and new containers cannot be matched.
bool CheckImages(const Field& containers, const Field& old) {
  if (containers.Items().size() != old.Items().size()) {
    containers.Forbidden("pod updates may not add or remove containers");
    return false;
  }
  for (const Field& container : containers.Items()) container["image"].Require();
  CheckImageBlanks(containers);
  return true;
}

void CheckAddedTolerations(const Field& tolerations, const Field& old) {
  const auto without_seconds = [](json toleration) {
    toleration.erase("tolerationSeconds");
    return toleration;
  };
  std::set<json> now;
  for (const Field& toleration : tolerations.Items())
    now.insert(without_seconds(toleration.value()));
  for (const Field& toleration : old.Items()) {
    if (now.contains(without_seconds(toleration.value()))) continue;
    return tolerations.Forbidden(
        "existing toleration can not be modified except its tolerationSeconds");
  }
  CheckTolerations(tolerations);
}

void CheckGoneGates(const Field& gates, const Field& old) {
  std::set<std::string> before;
  for (const Field& gate : old.Items()) before.insert(gate["name"].Text());
  for (const Field& gate : gates.Items()) {
    const std::string name = gate["name"].Text();
    if (!before.contains(name))
      gate["name"].Forbidden("only deletion is allowed, but found new scheduling gate '" + name +
                             "'");
  }
}

// Removes the fields that have been checked from a spec.
json Frozen(const json& spec) {
  json rest = spec;
  for (const char* list : {"containers", "initContainers"}) {
    if (!rest.contains(list)) continue;
    for (json& container : rest[list]) container.erase("image");
  }
  for (const char* field : {"activeDeadlineSeconds", "tolerations", "schedulingGates"})
    rest.erase(field);
  return rest;
}

}  // namespace

void CheckPodChange(const json& pod, const json& old, Errors& errors) {
  const Field now = Field(pod, errors)["spec"];
  const Field before = Field(old, errors)["spec"];
  for (const char* list : {"containers", "initContainers"}) {
    if (!CheckImages(now[list], before[list])) return;
  }
  CheckAddedTolerations(now["tolerations"], before["tolerations"]);
  CheckGoneGates(now["schedulingGates"], before["schedulingGates"]);
  json frozen = Frozen(now.value());
  const json kept = Frozen(before.value());
  constexpr const char* kGrace = "terminationGracePeriodSeconds";
  if (before[kGrace].Number() < 0 && now[kGrace].Number() == 1) frozen[kGrace] = kept[kGrace];
  if (frozen != kept) now.Forbidden(kFrozen);
}

}  // namespace berth::apiserver
