// SPDX-License-Identifier: Apache-2.0
#include <nlohmann/json.hpp>

#include "sandbox/apiserver/document.h"
#include "sandbox/apiserver/kinds/builtin/pod_rules.h"
#include "sandbox/apiserver/kinds/builtin/pod_update_rules.h"
#include "sandbox/apiserver/kinds/builtin/strategies.h"
#include "sandbox/apiserver/kinds/strategy.h"

namespace berth::apiserver {
namespace {

using nlohmann::json;

constexpr const char* kQosResources[] = {"cpu", "memory"};

// Checks that do not apply to pod templates, so that old templates stay valid.
void CheckPod(const json& pod, Errors& errors) {
  const Field spec = Field(pod, errors)["spec"];
  CheckPodSpec(spec);
  CheckImageBlanks(spec["containers"]);
  CheckImageBlanks(spec["initContainers"]);
}

void ValidateNewPod(const json& pod, Errors& errors) {
  CheckPod(pod, errors);
  const Field spec = Field(pod, errors)["spec"];
  if (!spec["ephemeralContainers"].IsEmpty())
    spec["ephemeralContainers"].Forbidden("cannot be set on create");
  if (!spec["schedulingGates"].IsEmpty() && !spec["nodeName"].IsEmpty())
    spec["nodeName"].Forbidden("cannot be set until all schedulingGates have been cleared");
}

void ValidatePodUpdate(const json& pod, const json& old, Errors& errors) {
  CheckPod(pod, errors);
  CheckPodChange(pod, old, errors);
}

// Returns a pod's status.qosClass.
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

void PrepareNewPod(json& pod, Time now) {
  pod["status"] = {{"phase", "Pending"}, {"qosClass", QosClassOf(pod)}};
  if (IntAt(pod, "spec/terminationGracePeriodSeconds") < 0)
    pod["spec"]["terminationGracePeriodSeconds"] = 1;
  // Scheduling gates are reported in the status at once.
  const json* gates = At(pod, "spec/schedulingGates");
  if (gates == nullptr || gates->empty()) return;
  pod["status"]["conditions"] =
      json::array({{{"type", "PodScheduled"},
                    {"status", "False"},
                    {"reason", "SchedulingGated"},
                    {"message", "Scheduling is blocked due to non-empty scheduling gates"},
                    {"lastProbeTime", nullptr},
                    {"lastTransitionTime", now.ToString()}}});
}

}  // namespace

const Strategy* PodStrategy(const KindInfo& kind) {
  static const Strategy kPod = {.names = Strategy::NameRule::kSubdomain,
                                .prepare_create = PrepareNewPod,
                                .validate = ValidateNewPod,
                                .validate_update = ValidatePodUpdate,
                                .checks_updates_apart = true};
  return kind.kind == "Pod" && kind.group.empty() ? &kPod : nullptr;
}

}  // namespace berth::apiserver
