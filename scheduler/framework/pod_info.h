// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "api/labels.h"
#include "api/pod.h"
#include "scheduler/framework/qos_class.h"
#include "scheduler/framework/resource.h"
#include "scheduler/framework/vocabulary.h"

namespace berth::scheduler {

// HostPort is a port that a pod takes on its node. An empty address is 0.0.0.0, an empty protocol
// TCP; both are normalised here.
struct HostPort {
  std::string ip;
  std::string protocol;
  int32_t port = 0;
  // Conflicts holds when both cannot be on one node: same protocol and port, and the same address
  // or one of them 0.0.0.0.
  bool Conflicts(const HostPort& other) const;
  bool operator==(const HostPort&) const = default;
};

// HostPortsOf lists the host ports of containers and sidecars; plain init containers are gone when
// the pod runs.
std::vector<HostPort> HostPortsOf(const api::Pod& pod);

// PodInfo is a pod with all that plugins ask of it, computed once when it enters the cache or the
// queue. Immutable; shared between the queue, the cache and a cycle. Source of each figure:
// kube-scheduler-plugins 3.4 and 3.5.
class PodInfo {
 public:
  static std::shared_ptr<const PodInfo> Create(std::shared_ptr<const api::Pod> pod,
                                               Vocabulary& vocabulary);

  const api::Pod& pod() const { return *pod_; }
  const std::shared_ptr<const api::Pod>& shared_pod() const { return pod_; }
  const std::string& uid() const { return pod_->metadata.uid; }
  const std::string& name() const { return pod_->metadata.name; }
  const std::string& namespace_() const { return pod_->metadata.namespace_; }
  const std::string& node_name() const { return pod_->spec.node_name; }
  std::string Key() const { return namespace_() + "/" + name(); }
  int32_t priority() const { return priority_; }
  bool terminating() const { return pod_->metadata.deletion_timestamp.has_value(); }

  const std::vector<std::pair<Symbol, Symbol>>& labels() const { return labels_; }  // sorted by key
  const std::vector<HostPort>& host_ports() const { return host_ports_; }

  // What the pod asks for when it is to be placed (spec alone).
  const Resources& requests() const { return requests_; }
  // What it takes of its node once it is there (a resize in place counts).
  const Resources& accounted() const { return accounted_; }
  // Like accounted(), but a container without a request counts with the defaults; cpu and memory
  // only.
  int64_t non_zero_milli_cpu() const { return non_zero_milli_cpu_; }
  int64_t non_zero_memory() const { return non_zero_memory_; }

  QosClass qos_class() const { return qos_class_; }
  bool HasAffinity() const { return has_affinity_; }
  bool HasRequiredAntiAffinity() const { return has_required_anti_affinity_; }

  // Bound gives a copy whose pod has spec.nodeName set: what is assumed before the API server
  // knows.
  static std::shared_ptr<const PodInfo> Bound(const PodInfo& pod, const std::string& node);

 private:
  PodInfo() = default;

  std::shared_ptr<const api::Pod> pod_;
  int32_t priority_ = 0;
  QosClass qos_class_ = QosClass::kBestEffort;
  bool has_affinity_ = false;
  bool has_required_anti_affinity_ = false;
  std::vector<std::pair<Symbol, Symbol>> labels_;
  std::vector<HostPort> host_ports_;
  Resources requests_;
  Resources accounted_;
  int64_t non_zero_milli_cpu_ = 0;
  int64_t non_zero_memory_ = 0;
};

}  // namespace berth::scheduler
