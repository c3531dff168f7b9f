// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "api/host_ports.h"
#include "api/pod.h"
#include "base/rare.h"
#include "base/time.h"
#include "scheduler/model/label_set.h"
#include "scheduler/model/qos_class.h"
#include "scheduler/model/resource.h"
#include "scheduler/model/vocabulary.h"

namespace berth::scheduler {

using api::HostPort;
using api::HostPortsOf;

// PodAffinities holds the pod affinity and anti-affinity that all pods of a template share.
struct PodAffinities {
  Rare<api::PodAffinity> affinity, anti_affinity;
};

// PodExtras holds the data of placed pods that few pods have.
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

class PendingPod;

// PodInfo is a pod with all data that plugins read, computed once when it enters the cache or the
// queue. Immutable; shared by the queue, the cache and a cycle. Source of the amounts:
// kube-scheduler pkg/scheduler/framework/types.go, PodInfo.CalculateResource; component-helpers
// resource/helpers.go, PodRequests.
//
// A cluster has few pending pods and a hundred thousand placed ones, of which plugins read much
// less. So a pod with a node is stored as a PodInfo only, without its API object, in a tenth of the
// memory. A pending pod is a PendingPod. A plugin that needs more data of placed pods adds an
// accessor here, and data that few pods have to PodExtras.
//
// Must be used and destroyed on the scheduling thread, because it holds strings of the vocabulary.
class PodInfo {
  struct Private {};

 public:
  // Creates a pod that is on a node. `same` are the affinities of equal pods, which are then
  // shared. Requires: spec.nodeName is set.
  static std::shared_ptr<const PodInfo> Placed(const api::Pod& pod, Vocabulary& words,
                                               const PodAffinities* same = nullptr);

  PodInfo(Private, const api::Pod& pod, Vocabulary& words, const PodAffinities* same)
      : PodInfo(pod, words, same) {}
  PodInfo& operator=(const PodInfo&) = delete;
  virtual ~PodInfo() = default;

  // Returns this pod with its API object; null if the object is not stored.
  virtual const PendingPod* pending() const { return nullptr; }

  const std::string& uid() const { return uid_; }
  const std::string& name() const { return name_; }
  const std::string& namespace_() const { return namespace_name_.text(); }
  const Word& namespace_word() const { return namespace_name_; }
  const std::string& resource_version() const { return resource_version_; }
  int64_t generation() const { return generation_; }
  const std::string& node_name() const { return node_name_.text(); }
  const Word& node_word() const { return node_name_; }
  std::string Key() const { return namespace_() + "/" + name(); }
  int32_t priority() const { return priority_; }
  Time start_time() const { return start_time_; }  // zero: not started
  // The deletion timestamp, which includes the grace period; zero: not deleted. Wall time of the
  // API server.
  Time deletion_time() const { return deletion_time_; }
  bool terminating() const { return !deletion_time_.IsZero(); }
  bool running() const { return running_; }
  // Whether the pod has a controller, which recreates it after its deletion.
  bool controlled() const { return controlled_; }
  // Whether the pod is terminating because of preemption by a scheduler.
  bool being_preempted() const { return being_preempted_; }
  // Whether the pod is terminating because of a request to the Eviction API.
  bool being_evicted() const { return being_evicted_; }
  bool has_scheduling_gates() const { return has_scheduling_gates_; }
  uint32_t toleration_count() const { return toleration_count_; }

  const LabelSet& labels() const { return labels_; }
  const std::vector<HostPort>& host_ports() const { return extras().host_ports; }

  // The requests of the pod for scheduling (from spec alone).
  const Resources& requests() const { return requests_ ? *requests_ : accounted_; }
  // The resources that the pod uses on its node (includes in-place resizes).
  const Resources& accounted() const { return accounted_; }
  // Like accounted(), but with default requests for containers without one; cpu and memory only.
  int64_t non_zero_milli_cpu() const { return non_zero_milli_cpu_; }
  int64_t non_zero_memory() const { return non_zero_memory_; }

  QosClass qos_class() const { return qos_class_; }
  // Reports whether spec.affinity has podAffinity or podAntiAffinity, even if empty.
  bool HasAffinity() const { return has_affinity_; }
  const api::PodAffinity& affinity() const { return extras().affinity.ValueOrDefault(); }
  const api::PodAffinity& anti_affinity() const { return extras().anti_affinity.ValueOrDefault(); }

  // The volumes that plugins count or compare: claims, inline CSI volumes and disks. The templates
  // of ephemeral volumes are omitted.
  const std::vector<api::Volume>& volumes() const { return extras().volumes; }
  const std::string& pod_group() const { return extras().pod_group; }  // of spec.schedulingGroup
  const PodExtras& extras() const { return extras_.ValueOrDefault(); }

 protected:
  PodInfo(const api::Pod& pod, Vocabulary& words, const PodAffinities* same);
  // Copies the pod and sets its node.
  PodInfo(const PodInfo& pod, Word node) : PodInfo(pod) { node_name_ = std::move(node); }

 private:
  PodInfo(const PodInfo&) = default;

  std::string uid_;
  std::string name_;
  std::string resource_version_;
  int64_t generation_;
  Word namespace_name_;
  Word node_name_;
  LabelSet labels_;
  Resources accounted_;
  Rare<Resources> requests_;  // absent: equal to accounted_
  int64_t non_zero_milli_cpu_ = 0;
  int64_t non_zero_memory_ = 0;
  Rare<PodExtras> extras_;
  Time start_time_;
  Time deletion_time_;
  int32_t priority_ = 0;
  uint32_t toleration_count_ = 0;
  QosClass qos_class_ = QosClass::kBestEffort;
  bool running_ = false;
  bool controlled_ = false;
  bool being_preempted_ = false;
  bool being_evicted_ = false;
  bool has_scheduling_gates_ = false;
  bool has_affinity_ = false;
};

// PendingPod is a pod that waits for a node, or is assumed on one while it is being bound. Plugins
// have access to its API object.
class PendingPod final : public PodInfo, public std::enable_shared_from_this<PendingPod> {
  struct Private {};

 public:
  static std::shared_ptr<const PendingPod> Create(std::shared_ptr<const api::Pod> pod,
                                                  Vocabulary& words);
  // Returns a copy that is assumed on a node: node_name() is the node, pod() is still the last
  // state from the API server.
  std::shared_ptr<const PendingPod> AssumedOn(Word node) const;

  PendingPod(Private, std::shared_ptr<const api::Pod> pod, Vocabulary& words)
      : PodInfo(*pod, words, nullptr), pod_(std::move(pod)) {}
  PendingPod(Private, const PendingPod& pod, Word node)
      : PodInfo(pod, std::move(node)), pod_(pod.pod_) {}

  const PendingPod* pending() const override { return this; }

  const api::Pod& pod() const { return *pod_; }
  const std::string& nominated_node_name() const { return pod_->status.nominated_node_name; }

 private:
  std::shared_ptr<const api::Pod> pod_;
};

// PodList is a list of pods; the function that returns it defines the order.
using PodList = std::vector<std::shared_ptr<const PodInfo>>;

}  // namespace berth::scheduler
