// SPDX-License-Identifier: Apache-2.0
// PriorityClass. Source: pkg/apis/scheduling/validation of Kubernetes.
#include <string>

#include <nlohmann/json.hpp>

#include "sandbox/apiserver/kinds/builtin/strategies.h"
#include "sandbox/apiserver/kinds/field.h"
#include "sandbox/apiserver/kinds/strategy.h"

namespace berth::apiserver {
namespace {

using nlohmann::json;

constexpr int64_t kMaxUserPriority = 1000000000;
constexpr std::string_view kSystemPrefix = "system-";

void ValidatePriorityClass(const json& object, Errors& errors) {
  const Field priority(object, errors);
  const std::string name = priority["metadata"]["name"].Text();
  const bool is_system = name == "system-node-critical" || name == "system-cluster-critical";
  if (name.starts_with(kSystemPrefix) && !is_system) {
    priority["metadata"]["name"].Forbidden(
        "priority class names with 'system-' prefix are reserved for system use only");
  } else if (!is_system && priority["value"].Number() > kMaxUserPriority) {
    priority["value"].Forbidden("maximum allowed value of a user defined priority is " +
                                std::to_string(kMaxUserPriority));
  }
  const Field policy = priority["preemptionPolicy"];
  if (policy.Require()) policy.OneOf({"PreemptLowerPriority", "Never"});
}

void ValidatePriorityClassUpdate(const json& object, const json& old, Errors& errors) {
  const Field priority(object, errors);
  const Field before(old, errors);
  if (priority["value"].Number() != before["value"].Number())
    priority["value"].Forbidden("may not be changed in an update.");
  priority["preemptionPolicy"].Unchanged(before["preemptionPolicy"]);
}

}  // namespace

const Strategy* PriorityStrategy(const KindInfo& kind) {
  static const Strategy kPriorityClass = {.validate = ValidatePriorityClass,
                                          .validate_update = ValidatePriorityClassUpdate,
                                          .checks_updates_apart = true};
  return kind.group == "scheduling.k8s.io" && kind.kind == "PriorityClass" ? &kPriorityClass
                                                                           : nullptr;
}

}  // namespace berth::apiserver
