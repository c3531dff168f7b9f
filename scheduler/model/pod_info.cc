// SPDX-License-Identifier: Apache-2.0
#include "scheduler/model/pod_info.h"

#include <algorithm>

#include "base/check.h"

namespace berth::scheduler {
namespace {

// Returns the requests that scoring assumes, with defaults for missing ones. If the pod has
// pod-level requests, a default is used only for a resource that neither level sets.
api::ResourceList NonZeroRequests(const api::Pod& pod, const api::ResourceList& accounted) {
  RequestOptions options{.use_status = true, .default_cpu = true, .default_memory = true};
  if (HasPodLevelRequests(pod)) {
    options.default_cpu = !accounted.contains("cpu");
    options.default_memory = !accounted.contains("memory");
  }
  return PodRequests(pod, options);
}

// Reports whether plugins count the volume on a node or compare it with volumes of other pods.
bool MattersElsewhere(const api::Volume& volume) {
  return volume.persistent_volume_claim || volume.ephemeral || volume.csi ||
         volume.gce_persistent_disk || volume.aws_elastic_block_store || volume.rbd ||
         volume.iscsi || volume.azure_disk || volume.azure_file || volume.cinder ||
         volume.vsphere_volume || volume.portworx_volume;
}

// Returns an absent value for most pods.
Rare<PodExtras> ExtrasOf(const api::Pod& pod, const PodAffinities* same) {
  const api::Affinity& affinity = pod.spec.affinity.ValueOrDefault();
  PodExtras extras{
      .host_ports = HostPortsOf(pod),
      .affinity = same != nullptr ? same->affinity : affinity.pod_affinity,
      .anti_affinity = same != nullptr ? same->anti_affinity : affinity.pod_anti_affinity,
      .resource_claims = pod.spec.resource_claims,
      .resource_claim_statuses = pod.status.resource_claim_statuses,
      .extended_resource_claim = pod.status.extended_resource_claim_status,
      .pod_group = pod.spec.scheduling_group.ValueOrDefault().pod_group_name.value_or("")};
  for (const api::Volume& volume : pod.spec.volumes) {
    if (!MattersElsewhere(volume)) continue;
    extras.volumes.push_back(volume);
    if (volume.ephemeral) extras.volumes.back().ephemeral.emplace();
  }
  if (extras == PodExtras()) return {};
  return extras;
}

// Reports whether the pod has a DisruptionTarget condition with this reason. Source of type and
// reasons: kubernetes pkg/scheduler/framework/preemption/executor.go,
// pkg/registry/core/pod/storage/eviction.go.
bool IsDisrupted(const api::Pod& pod, std::string_view reason) {
  return std::ranges::any_of(pod.status.conditions, [reason](const api::PodCondition& condition) {
    return condition.type == "DisruptionTarget" && condition.status == "True" &&
           condition.reason == reason;
  });
}

}  // namespace

PodInfo::PodInfo(const api::Pod& pod, Vocabulary& words, const PodAffinities* same)
    : uid_(pod.metadata.uid),
      name_(pod.metadata.name),
      resource_version_(pod.metadata.resource_version),
      generation_(pod.metadata.generation),
      namespace_name_(words.Intern(pod.metadata.namespace_)),
      node_name_(words.Intern(pod.spec.node_name)),
      labels_(pod.metadata.labels, words),
      extras_(ExtrasOf(pod, same)),
      start_time_(pod.status.start_time),
      deletion_time_(pod.metadata.deletion_timestamp.value_or(Time())),
      priority_(pod.spec.priority.value_or(0)),
      toleration_count_(static_cast<uint32_t>(pod.spec.tolerations.size())),
      qos_class_(QosClassOf(pod)),
      running_(pod.status.phase == "Running"),
      controlled_(api::ControllerOf(pod.metadata) != nullptr),
      being_preempted_(terminating() && IsDisrupted(pod, "PreemptionByScheduler")),
      being_evicted_(terminating() && IsDisrupted(pod, "EvictionByEvictionAPI")),
      has_scheduling_gates_(!pod.spec.scheduling_gates.empty()),
      has_affinity_(pod.spec.affinity.ValueOrDefault().pod_affinity.has_value() ||
                    pod.spec.affinity.ValueOrDefault().pod_anti_affinity.has_value()) {
  const api::ResourceList accounted = PodRequests(pod, {.use_status = true});
  const Resources non_zero = ToResources(NonZeroRequests(pod, accounted), words);
  non_zero_milli_cpu_ = non_zero.milli_cpu;
  non_zero_memory_ = non_zero.memory;
  accounted_ = ToResources(accounted, words);
  if (ReportsResources(pod)) {
    Resources requests = ToResources(PodRequests(pod, {}), words);
    if (!(requests == accounted_)) requests_ = std::move(requests);
  }
}

std::shared_ptr<const PodInfo> PodInfo::Placed(const api::Pod& pod, Vocabulary& words,
                                               const PodAffinities* same) {
  BERTH_CHECK(!pod.spec.node_name.empty(), "a placed pod has a node");
  return std::make_shared<PodInfo>(Private(), pod, words, same);
}

std::shared_ptr<const PendingPod> PendingPod::Create(std::shared_ptr<const api::Pod> pod,
                                                     Vocabulary& words) {
  return std::make_shared<PendingPod>(Private(), std::move(pod), words);
}

std::shared_ptr<const PendingPod> PendingPod::AssumedOn(Word node) const {
  return std::make_shared<PendingPod>(Private(), *this, std::move(node));
}

}  // namespace berth::scheduler
