// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>
#include <set>

#include <nlohmann/json.hpp>

#include "apiserver/kinds/strategy.h"
#include "base/names.h"

namespace berth::apiserver {
namespace {

using nlohmann::json;

void ValidateContainers(const json& spec, const char* list, const std::string& base,
                        bool needs_image, std::set<std::string>& names, Problems& problems) {
  const json* containers = At(spec, list);
  if (containers == nullptr || !containers->is_array()) return;
  for (size_t i = 0; i < containers->size(); ++i) {
    const json& container = (*containers)[i];
    const std::string path = base + "." + list + "[" + std::to_string(i) + "]";
    const std::string name = container.value("name", "");
    if (name.empty()) {
      problems.push_back(RequiredField(path + ".name"));
    } else {
      for (const std::string& why : CheckDnsLabel(name)) {
        problems.push_back(InvalidField(path + ".name", json(name).dump(), why));
      }
      if (!names.insert(name).second) {
        problems.push_back(
            {path + ".name", "FieldValueDuplicate", "Duplicate value: " + json(name).dump()});
      }
    }
    if (needs_image && container.value("image", "").empty()) {
      problems.push_back(RequiredField(path + ".image"));
    }
  }
}

void Validate(const json& pod, Problems& problems) {
  const json* spec = At(pod, "spec");
  if (spec == nullptr) return;
  const json* containers = At(*spec, "containers");
  if (containers == nullptr || containers->empty())
    problems.push_back(RequiredField("spec.containers"));
  std::set<std::string> names;
  ValidateContainers(*spec, "containers", "spec", true, names, problems);
  ValidateContainers(*spec, "initContainers", "spec", true, names, problems);
  const json* gates = At(*spec, "schedulingGates");
  if (gates != nullptr && !gates->empty() && !TextAt(*spec, "nodeName").empty()) {
    problems.push_back(ForbiddenField("spec.nodeName",
                                      "cannot be set until all schedulingGates have been cleared"));
  }
}

// Takes out of a spec what an update may change.
json Frozen(const json& spec) {
  json rest = spec;
  for (const char* list : {"containers", "initContainers"}) {
    if (!rest.contains(list)) continue;
    for (json& container : rest[list]) container.erase("image");
  }
  for (const char* field : {"activeDeadlineSeconds", "tolerations", "terminationGracePeriodSeconds",
                            "schedulingGates", "ephemeralContainers"}) {
    rest.erase(field);
  }
  return rest;
}

void FreezeUnlessGated(const json& pod, const json& old, Problems& problems) {
  json now = Frozen(pod["spec"]);
  json before = Frozen(old["spec"]);
  const json* gates = At(old, "spec/schedulingGates");
  if (gates != nullptr && !gates->empty()) {
    // A gated pod's node selector and affinity may still be narrowed.
    for (const char* field : {"nodeSelector", "affinity"}) {
      now.erase(field);
      before.erase(field);
    }
  }
  if (now == before) return;
  problems.push_back(ForbiddenField(
      "spec",
      "pod updates may not change fields other than `spec.containers[*].image`,"
      "`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` (only "
      "additions to existing tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set "
      "to 1 if it was previously negative)"));
}

void ValidateGates(const json& pod, const json& old, Problems& problems) {
  std::set<std::string> before;
  if (const json* gates = At(old, "spec/schedulingGates")) {
    for (const json& gate : *gates) before.insert(gate.value("name", ""));
  }
  const json* gates = At(pod, "spec/schedulingGates");
  if (gates == nullptr) return;
  for (const json& gate : *gates) {
    if (before.contains(gate.value("name", ""))) continue;
    problems.push_back(ForbiddenField("spec.schedulingGates",
                                      "only deletion is allowed, but found new scheduling gate '" +
                                          gate.value("name", "") + "'"));
  }
}

void ValidateUpdate(const json& pod, const json& old, Problems& problems) {
  FreezeUnlessGated(pod, old, problems);
  ValidateGates(pod, old, problems);
  const json* before = At(old, "spec/tolerations");
  const json* now = At(pod, "spec/tolerations");
  for (const json& toleration : before == nullptr ? json::array() : *before) {
    if (now != nullptr && std::find(now->begin(), now->end(), toleration) != now->end()) continue;
    problems.push_back(ForbiddenField("spec.tolerations",
                                      "existing toleration can not be modified except its "
                                      "tolerationSeconds"));
    break;
  }
}

void PrepareCreate(json& pod, Time /*now*/) {
  pod["status"] = {{"phase", "Pending"}, {"qosClass", QosClassOf(pod)}};
  // Gates that hold a pod back are told at once.
  const json* gates = At(pod, "spec/schedulingGates");
  if (gates == nullptr || gates->empty()) return;
  pod["status"]["conditions"] =
      json::array({{{"type", "PodScheduled"},
                    {"status", "False"},
                    {"reason", "SchedulingGated"},
                    {"message", "Scheduling is blocked due to non-empty scheduling gates"},
                    {"lastProbeTime", nullptr},
                    {"lastTransitionTime", nullptr}}});
}

constexpr const char* kQosResources[] = {"cpu", "memory"};

}  // namespace

std::string QosClassOf(const json& pod) {
  bool any = false;
  bool guaranteed = true;
  for (const char* list : {"containers", "initContainers"}) {
    const json* containers = At(pod, std::string("spec/") + list);
    if (containers == nullptr) continue;
    for (const json& container : *containers) {
      for (const char* name : kQosResources) {
        const std::string limit = TextAt(container, std::string("resources/limits/") + name);
        const std::string request = TextAt(container, std::string("resources/requests/") + name);
        if (!limit.empty() || !request.empty()) any = true;
        if (limit.empty() || limit != request) guaranteed = false;
      }
    }
  }
  if (!any) return "BestEffort";
  return guaranteed ? "Guaranteed" : "Burstable";
}

const Strategy* PodStrategy(const KindInfo& kind) {
  static const Strategy kPod = {.names = Strategy::NameRule::kSubdomain,
                                .prepare_create = PrepareCreate,
                                .prepare_update = nullptr,
                                .validate = Validate,
                                .validate_update = ValidateUpdate};
  return kind.kind == "Pod" && kind.group.empty() ? &kPod : nullptr;
}

}  // namespace berth::apiserver
