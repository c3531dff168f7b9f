// SPDX-License-Identifier: Apache-2.0
#include "api/policy.h"

namespace berth::api {

const json::Type& PodDisruptionBudgetSpec::JsonType() {
  static const json::Type type = json::Describe<PodDisruptionBudgetSpec>(
      json::Object(json::Field("minAvailable", &PodDisruptionBudgetSpec::min_available),
                   json::Field("maxUnavailable", &PodDisruptionBudgetSpec::max_unavailable),
                   json::Field("selector", &PodDisruptionBudgetSpec::selector),
                   json::Field("unhealthyPodEvictionPolicy",
                               &PodDisruptionBudgetSpec::unhealthy_pod_eviction_policy)));
  return type;
}

const json::Type& PodDisruptionBudgetStatus::JsonType() {
  static const json::Type type = json::Describe<PodDisruptionBudgetStatus>(json::Object(
      json::Field("observedGeneration", &PodDisruptionBudgetStatus::observed_generation),
      json::Field("disruptedPods", &PodDisruptionBudgetStatus::disrupted_pods),
      json::Field("disruptionsAllowed", &PodDisruptionBudgetStatus::disruptions_allowed),
      json::Field("currentHealthy", &PodDisruptionBudgetStatus::current_healthy),
      json::Field("desiredHealthy", &PodDisruptionBudgetStatus::desired_healthy),
      json::Field("expectedPods", &PodDisruptionBudgetStatus::expected_pods),
      json::Field("conditions", &PodDisruptionBudgetStatus::conditions)));
  return type;
}

const json::Type& PodDisruptionBudget::JsonType() {
  static const json::Type type = json::Describe<PodDisruptionBudget>(json::Object(
      json::Constant("apiVersion", "policy/v1"), json::Constant("kind", "PodDisruptionBudget"),
      json::Field("metadata", &PodDisruptionBudget::metadata),
      json::Field("spec", &PodDisruptionBudget::spec),
      json::Field("status", &PodDisruptionBudget::status)));
  return type;
}

const json::Type& Eviction::JsonType() {
  static const json::Type type = json::Describe<Eviction>(
      json::Object(json::Constant("apiVersion", "policy/v1"), json::Constant("kind", "Eviction"),
                   json::Field("metadata", &Eviction::metadata),
                   json::Field("deleteOptions", &Eviction::delete_options)));
  return type;
}

}  // namespace berth::api
