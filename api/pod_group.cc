// SPDX-License-Identifier: Apache-2.0
#include "api/pod_group.h"

namespace berth::api {

const json::Type& PodGroupSpec::JsonType() {
  static const json::Type type = json::Describe<PodGroupSpec>(json::Object(
      json::Field("minMember", &PodGroupSpec::min_member)
          .Doc("Minimum number of pods to schedule together; below it, none is scheduled.")
          .Min(1),
      json::Field("minResources", &PodGroupSpec::min_resources)
          .Doc("Total request of minMember pods. No pod is tried while the cluster has less."),
      json::Field("scheduleTimeoutSeconds", &PodGroupSpec::schedule_timeout_seconds)
          .Doc("Time that a pod with a node waits for the other pods of the group.")));
  return type;
}

const json::Type& PodGroupStatus::JsonType() {
  static const json::Type type = json::Describe<PodGroupStatus>(json::Object(
      json::Field("phase", &PodGroupStatus::phase)
          .Doc("Pending, Scheduling, Running, Finished or Failed; the last two are "
               "final."),
      json::Field("occupiedBy", &PodGroupStatus::occupied_by)
          .Doc("Owners of the pods, as NAMESPACE/NAME.")
          .MaxLength(65536),
      json::Field("running", &PodGroupStatus::running).Doc("Number of running pods."),
      json::Field("succeeded", &PodGroupStatus::succeeded).Doc("Number of succeeded pods."),
      json::Field("failed", &PodGroupStatus::failed).Doc("Number of failed pods."),
      json::Field("scheduleStartTime", &PodGroupStatus::schedule_start_time)
          .Doc("Time of the first scheduling attempt, if a controller sets it.")));
  return type;
}

const json::Type& PodGroup::JsonType() {
  static const json::Type type = json::Describe<PodGroup>(json::Object(
      json::Constant("apiVersion", "scheduling.x-k8s.io/v1alpha1"),
      json::Constant("kind", "PodGroup"), json::Field("metadata", &PodGroup::metadata),
      json::Field("spec", &PodGroup::spec).Doc("Desired size and resources of the group."),
      json::Field("status", &PodGroup::status).Doc("Observed state, written by the controller.")));
  return type;
}

}  // namespace berth::api
