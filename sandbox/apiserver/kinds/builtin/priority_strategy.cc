// SPDX-License-Identifier: Apache-2.0
// PriorityClass. Source: pkg/apis/scheduling/validation of Kubernetes.
#include <map>
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

// The classes of the system itself: a name says what the rest has to be.
void CheckSystemClass(const Field& priority) {
  static const std::map<std::string, int64_t, std::less<>> kClasses = {
      {"system-node-critical", 2000001000}, {"system-cluster-critical", 2000000000}};
  const Field name = priority["metadata"]["name"];
  const auto refuse = [&name](const std::string& why) {
    name.Forbidden(
        "priority class names with 'system-' prefix are reserved for system use only. error: " +
        why);
  };
  const auto found = kClasses.find(name.Text());
  if (found == kClasses.end()) return refuse(name.Text() + " is not a known system priority class");
  if (priority["value"].Number() != found->second) {
    return refuse("value of " + name.Text() + " PriorityClass must be " +
                  std::to_string(found->second));
  }
  if (priority["globalDefault"].IsTrue())
    refuse("globalDefault of " + name.Text() + " PriorityClass must be false");
}

void ValidatePriorityClass(const json& object, Problems& problems) {
  const Field priority(object, problems);
  if (priority["metadata"]["name"].Text().starts_with(kSystemPrefix)) {
    CheckSystemClass(priority);
  } else if (priority["value"].Number() > kMaxUserPriority) {
    priority["value"].Forbidden("maximum allowed value of a user defined priority is " +
                                std::to_string(kMaxUserPriority));
  }
  const Field policy = priority["preemptionPolicy"];
  if (policy.Require()) policy.OneOf({"PreemptLowerPriority", "Never"});
}

void ValidatePriorityClassUpdate(const json& object, const json& old, Problems& problems) {
  const Field priority(object, problems);
  const Field before(old, problems);
  if (priority["value"].Number() != before["value"].Number())
    priority["value"].Forbidden("may not be changed in an update.");
  priority["preemptionPolicy"].Unchanged(before["preemptionPolicy"]);
}

}  // namespace

const Strategy* PriorityStrategy(const KindInfo& kind) {
  using Check = Strategy::Check;
  static const Strategy kPriorityClass = {.validate = ValidatePriorityClass,
                                          .validate_update = ValidatePriorityClassUpdate,
                                          .on_update = {Check::kMetadataChange, Check::kChange}};
  return kind.group == "scheduling.k8s.io" && kind.kind == "PriorityClass" ? &kPriorityClass
                                                                           : nullptr;
}

}  // namespace berth::apiserver
