// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "api/pod.h"
#include "scheduler/model/vocabulary.h"

namespace berth::scheduler {

// Resources holds an amount per resource: CPU in milli-cores, all others in whole units (bytes for
// memory), rounded up. Scalars (extended resources, huge pages, attachable volumes) are sorted by
// symbol; a zero is only stored if the object sets it. Sums saturate instead of overflowing.
// Source: kube-scheduler pkg/scheduler/framework/types.go, Resource.
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

// The requests that scoring assumes for a container without a request.
inline constexpr int64_t kDefaultMilliCpuRequest = 100;
inline constexpr int64_t kDefaultMemoryRequest = 200 * 1024 * 1024;

// RequestOptions selects one of kube-scheduler's ways to sum a pod's requests.
struct RequestOptions {
  bool use_status = false;      // count the highest footprint during an in-place resize
  bool pod_level = true;        // spec.resources replaces the sum of the containers
  bool default_cpu = false;     // a container without a cpu request counts with the default above
  bool default_memory = false;  // the same for memory
};

// Sums the requests of containers, init containers, sidecars and pod-level resources, and adds the
// overhead. Source: component-helpers resource/helpers.go, PodRequests.
api::ResourceList PodRequests(const api::Pod& pod, RequestOptions options);

// Reports whether spec.resources has a request for a resource that is supported at pod level: cpu,
// memory or huge pages.
bool HasPodLevelRequests(const api::Pod& pod);
bool HasPodLevelResources(const api::Pod& pod);  // requests or limits

// Reports whether the kubelet reports resources of the pod or of a container, or rejects a resize.
// Otherwise `use_status` makes no difference.
bool ReportsResources(const api::Pod& pod);

// Converts the resources that a scheduler tracks: cpu, memory, ephemeral-storage and scalars.
// Others, including pods, are ignored.
Resources ToResources(const api::ResourceList& list, Vocabulary& vocabulary);

// Reports whether the resource is an extended resource, hugepages-*, attachable-volumes-*, or has a
// kubernetes.io/ prefix.
bool IsScalarResource(std::string_view name);
bool IsExtendedResource(std::string_view name);

// Reports whether an init container is a sidecar (restartPolicy Always).
bool IsSidecar(const api::Container& init_container);

}  // namespace berth::scheduler
