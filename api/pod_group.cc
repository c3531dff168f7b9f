// SPDX-License-Identifier: Apache-2.0
#include "api/pod_group.h"

namespace berth::api {

const json::Type& PodGroupSpec::JsonType() {
  static const json::Type type = json::Describe<PodGroupSpec>(
      json::Object(json::Field("minMember", &PodGroupSpec::min_member),
                   json::Field("minResources", &PodGroupSpec::min_resources),
                   json::Field("scheduleTimeoutSeconds", &PodGroupSpec::schedule_timeout_seconds)));
  return type;
}

const json::Type& PodGroupStatus::JsonType() {
  static const json::Type type = json::Describe<PodGroupStatus>(
      json::Object(json::Field("phase", &PodGroupStatus::phase),
                   json::Field("occupiedBy", &PodGroupStatus::occupied_by),
                   json::Field("running", &PodGroupStatus::running),
                   json::Field("succeeded", &PodGroupStatus::succeeded),
                   json::Field("failed", &PodGroupStatus::failed),
                   json::Field("scheduleStartTime", &PodGroupStatus::schedule_start_time)));
  return type;
}

const json::Type& PodGroup::JsonType() {
  static const json::Type type = json::Describe<PodGroup>(
      json::Object(json::Constant("apiVersion", "scheduling.x-k8s.io/v1alpha1"),
                   json::Constant("kind", "PodGroup"), json::Field("metadata", &PodGroup::metadata),
                   json::Field("spec", &PodGroup::spec), json::Field("status", &PodGroup::status)));
  return type;
}

}  // namespace berth::api
