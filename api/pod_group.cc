// SPDX-License-Identifier: Apache-2.0
#include "api/pod_group.h"

namespace berth::api {

const json::Type& PodGroupSpec::JsonType() {
  static const json::Type type = json::Describe<PodGroupSpec>(json::Object(
      json::Field("minMember", &PodGroupSpec::min_member)
          .Doc("So many pods of the group get nodes together, or none of them does.")
          .Min(1),
      json::Field("minResources", &PodGroupSpec::min_resources)
          .Doc("What minMember pods need together; while the cluster has less, none of "
               "them is tried."),
      json::Field("scheduleTimeoutSeconds", &PodGroupSpec::schedule_timeout_seconds)
          .Doc("So long a pod that has found a node waits for the others.")));
  return type;
}

const json::Type& PodGroupStatus::JsonType() {
  static const json::Type type = json::Describe<PodGroupStatus>(json::Object(
      json::Field("phase", &PodGroupStatus::phase)
          .Doc("Pending, Scheduling, Running, Finished or Failed; the last two are "
               "final."),
      json::Field("occupiedBy", &PodGroupStatus::occupied_by)
          .Doc("What made the pods: NAMESPACE/NAME of the owners.")
          .MaxLength(65536),
      json::Field("running", &PodGroupStatus::running).Doc("Pods of the phase Running."),
      json::Field("succeeded", &PodGroupStatus::succeeded).Doc("Pods of the phase Succeeded."),
      json::Field("failed", &PodGroupStatus::failed).Doc("Pods of the phase Failed."),
      json::Field("scheduleStartTime", &PodGroupStatus::schedule_start_time)
          .Doc("When the group was first tried, where somebody says it.")));
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
