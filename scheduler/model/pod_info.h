// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "api/host_ports.h"
#include "api/pod.h"
#include "base/check.h"
#include "base/rare.h"
#include "base/time.h"
#include "scheduler/model/label_set.h"
#include "scheduler/model/qos_class.h"
#include "scheduler/model/resource.h"
#include "scheduler/model/vocabulary.h"

namespace berth::scheduler {

using api::HostPort;
using api::HostPortsOf;

// PodAffinities is the affinity to other pods of all pods of a template, once for all of them.
struct PodAffinities {
  Rare<api::PodAffinity> affinity, anti_affinity;
};

// PodExtras is what plugins ask of pods that are on a node and few pods have.
struct PodExtras {
  std::vector<HostPort> host_ports;
  Rare<api::PodAffinity> affinity, anti_affinity;
  std::vector<api::Volume> volumes;  // see PodInfo::volumes
  std::vector<api::PodResourceClaim> resource_claims;
  std::vector<api::PodResourceClaimStatus> resource_claim_statuses;
  Rare<api::PodExtendedResourceClaimStatus> extended_resource_claim;
  std::string pod_group;

  bool operator==(const PodExtras&) const = default;
};

// PodInfo is a pod with all that plugins ask of it, computed once when it enters the cache or the
// queue. Immutable; shared between the queue, the cache and a cycle. Source of each figure:
// kube-scheduler pkg/scheduler/framework/types.go, PodInfo.CalculateResource; component-helpers
// resource/helpers.go, PodRequests.
//
// A cluster has few pods that wait for a node and a hundred thousand that have one, of which much
// less is asked. So there are two kinds. One that waits keeps its object, pod(); it is still kept
// while the pod is assumed on a node. One that the API server shows on a node does not and takes a
// tenth of the room: of such a pod only what has an accessor of its own is known. A plugin that
// asks something new of other pods adds an accessor here, and what few pods have to PodExtras.
//
// Lives and dies on the scheduling thread: it holds strings of the vocabulary.
class PodInfo {
  struct Private {};

 public:
  // Create keeps the object.
  static std::shared_ptr<const PodInfo> Create(std::shared_ptr<const api::Pod> pod,
                                               Vocabulary& words);
  // CreatePlaced does not. Where the pod's affinities are known to be equal to those of others, it
  // shares `same`. Requires: spec.nodeName.
  static std::shared_ptr<const PodInfo> CreatePlaced(const api::Pod& pod, Vocabulary& words,
                                                     const PodAffinities* same = nullptr);
  // Bound gives a copy on a node: what is assumed before the API server knows. node_name() says
  // where; pod() stays what the API server last said. Requires: pod.has_pod().
  static std::shared_ptr<const PodInfo> Bound(const PodInfo& pod, Word node);

  PodInfo(Private, const api::Pod& pod, Vocabulary& words, const PodAffinities* same = nullptr);
  PodInfo(Private, const PodInfo& pod) : PodInfo(pod) {}

  bool has_pod() const { return pod_ != nullptr; }
  const api::Pod& pod() const {
    BERTH_CHECK(has_pod(), "the object of pod " + Key() + ", which is on node " + node_name() +
                               ", is not kept; ask the accessors of PodInfo");
    return *pod_;
  }

  const std::string& uid() const { return uid_; }
  const std::string& name() const { return name_; }
  const std::string& namespace_() const { return namespace_name_.text(); }
  const Word& namespace_word() const { return namespace_name_; }
  const std::string& resource_version() const { return resource_version_; }
  const std::string& node_name() const { return node_name_.text(); }
  const Word& node_word() const { return node_name_; }
  // nominated_node_name is status.nominatedNodeName; empty for a pod that has a node.
  const std::string& nominated_node_name() const;
  std::string Key() const { return namespace_() + "/" + name(); }
  int32_t priority() const { return priority_; }
  Time start_time() const { return start_time_; }  // zero: not started
  bool terminating() const { return terminating_; }
  // being_preempted says that it is terminating because a scheduler makes room.
  bool being_preempted() const { return being_preempted_; }
  bool has_scheduling_gates() const { return has_scheduling_gates_; }
  uint32_t toleration_count() const { return toleration_count_; }

  const LabelSet& labels() const { return labels_; }
  const std::vector<HostPort>& host_ports() const { return extras().host_ports; }

  // What the pod asks for when it is to be placed (spec alone).
  const Resources& requests() const { return requests_ ? *requests_ : accounted_; }
  // What it takes of its node once it is there (a resize in place counts).
  const Resources& accounted() const { return accounted_; }
  // Like accounted(), but a container without a request counts with the defaults; cpu and memory
  // only.
  int64_t non_zero_milli_cpu() const { return non_zero_milli_cpu_; }
  int64_t non_zero_memory() const { return non_zero_memory_; }

  QosClass qos_class() const { return qos_class_; }
  // HasAffinity says that spec.affinity has podAffinity or podAntiAffinity, be they empty.
  bool HasAffinity() const { return has_affinity_; }
  const api::PodAffinity& affinity() const { return extras().affinity.ValueOrDefault(); }
  const api::PodAffinity& anti_affinity() const { return extras().anti_affinity.ValueOrDefault(); }

  // volumes are those that plugins count or compare: claims, inline CSI volumes, and disks. The
  // template of an ephemeral volume is left out.
  const std::vector<api::Volume>& volumes() const { return extras().volumes; }
  const std::string& pod_group() const { return extras().pod_group; }  // of spec.schedulingGroup
  const PodExtras& extras() const { return extras_.ValueOrDefault(); }

 private:
  PodInfo(const PodInfo&) = default;

  std::shared_ptr<const api::Pod> pod_;  // null: on a node
  std::string uid_;
  std::string name_;
  std::string resource_version_;
  Word namespace_name_;
  Word node_name_;
  LabelSet labels_;
  Resources accounted_;
  Rare<Resources> requests_;  // absent: as accounted_
  int64_t non_zero_milli_cpu_ = 0;
  int64_t non_zero_memory_ = 0;
  Rare<PodExtras> extras_;
  Time start_time_;
  int32_t priority_ = 0;
  uint32_t toleration_count_ = 0;
  QosClass qos_class_ = QosClass::kBestEffort;
  bool terminating_ = false;
  bool being_preempted_ = false;
  bool has_scheduling_gates_ = false;
  bool has_affinity_ = false;
};

}  // namespace berth::scheduler
