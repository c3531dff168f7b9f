// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "api/pod.h"
#include "scheduler/model/vocabulary.h"

namespace berth::scheduler {

// Resources is an amount of each resource: CPU in milli-cores, all else in whole units (bytes for
// memory), both rounded up. Scalars (extended resources, huge pages, attachable volumes) are sorted
// by symbol, which they hold, and have no zero unless the object names it. Sums saturate instead of
// overflowing. Source: kube-scheduler pkg/scheduler/framework/types.go, Resource.
struct Resources {
  int64_t milli_cpu = 0;
  int64_t memory = 0;
  int64_t ephemeral_storage = 0;
  std::vector<std::pair<Word, int64_t>> scalars;

  int64_t Scalar(Symbol name) const;
  void SetScalar(Word name, int64_t amount);
  void Add(const Resources& other);
  void Subtract(const Resources& other);
  bool operator==(const Resources&) const = default;
};

int64_t SaturatingAdd(int64_t a, int64_t b);
int64_t SaturatingSubtract(int64_t a, int64_t b);

// kDefaultMilliCpuRequest and kDefaultMemoryRequest stand in for a container that requests none,
// when scores are computed.
inline constexpr int64_t kDefaultMilliCpuRequest = 100;
inline constexpr int64_t kDefaultMemoryRequest = 200 * 1024 * 1024;

// RequestOptions select one of the ways kube-scheduler sums a pod's requests.
struct RequestOptions {
  bool use_status = false;      // what a resize in place has allocated counts for a running pod
  bool pod_level = true;        // spec.resources replaces the sum of the containers
  bool default_cpu = false;     // a container that names no cpu counts with the default above
  bool default_memory = false;  // the same for memory
};

// PodRequests sums containers, init containers, sidecars, pod-level resources and overhead. Source:
// component-helpers resource/helpers.go, PodRequests.
api::ResourceList PodRequests(const api::Pod& pod, RequestOptions options);

// HasPodLevelRequests says that spec.resources names a request that may stand for the whole pod:
// cpu, memory or huge pages.
bool HasPodLevelRequests(const api::Pod& pod);

// ReportsResources says that the kubelet reports what the pod or a container of it has: only then
// may `use_status` make a difference.
bool ReportsResources(const api::Pod& pod);

// ToResources keeps the resources a scheduler tracks: cpu, memory, ephemeral-storage and scalars;
// others (and pods) are ignored.
Resources ToResources(const api::ResourceList& list, Vocabulary& vocabulary);

// IsScalarResource holds for extended resources, hugepages-*, attachable-volumes-* and names with a
// kubernetes.io/ prefix.
bool IsScalarResource(std::string_view name);
bool IsExtendedResource(std::string_view name);

// IsSidecar says that an init container keeps running beside the containers (restartPolicy Always).
bool IsSidecar(const api::Container& init_container);

}  // namespace berth::scheduler
