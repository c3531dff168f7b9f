// SPDX-License-Identifier: Apache-2.0
#include "scheduler/model/resource.h"

#include <algorithm>
#include <limits>
#include <string>
#include <vector>

#include "base/names.h"

namespace berth::scheduler {
namespace {

constexpr std::string_view kCpu = "cpu";
constexpr std::string_view kMemory = "memory";
constexpr std::string_view kEphemeralStorage = "ephemeral-storage";
constexpr std::string_view kHugePagesPrefix = "hugepages-";

void AddTo(api::ResourceList& sum, const api::ResourceList& more) {
  for (const auto& [name, amount] : more) sum[name] += amount;
}

void RaiseTo(api::ResourceList& peak, const api::ResourceList& other) {
  for (const auto& [name, amount] : other) {
    const auto [entry, added] = peak.try_emplace(name, amount);
    if (!added && entry->second < amount) entry->second = amount;
  }
}

bool ResizeIsInfeasible(const api::Pod& pod) {
  return std::any_of(pod.status.conditions.begin(), pod.status.conditions.end(),
                     [](const api::PodCondition& condition) {
                       return condition.type == "PodResizePending" &&
                              condition.reason == "Infeasible";
                     });
}

// Footprint is one of the figures of a pod during an in-place resize: the desired requests, those
// that the kubelet has allocated, and those that it has carried out.
enum class Footprint : uint8_t { kDesired, kAllocated, kActual };

// ContainerFootprints returns the requests of a pod's containers. It finds a status in logarithmic
// time: a pod may have thousands of containers, each with a status.
class ContainerFootprints {
 public:
  explicit ContainerFootprints(const api::Pod& pod) : is_infeasible_(ResizeIsInfeasible(pod)) {
    const api::PodStatus& status = pod.status;
    statuses_.reserve(status.container_statuses.size() + status.init_container_statuses.size());
    for (const api::ContainerStatus& each : status.container_statuses) statuses_.push_back(&each);
    for (const api::ContainerStatus& each : status.init_container_statuses) {
      statuses_.push_back(&each);
    }
    // The sort is stable because the first status of a name counts.
    std::ranges::stable_sort(statuses_, {}, &api::ContainerStatus::name);
  }

  bool is_infeasible() const { return is_infeasible_; }

  // Returns a container's requests. Without a reported figure, the desired one counts, unless the
  // kubelet rejected it.
  const api::ResourceList& Of(const api::Container& container, Footprint footprint) const {
    static const api::ResourceList kNone;
    const api::ResourceList& desired = container.resources.requests;
    if (footprint == Footprint::kDesired) return desired;
    if (const api::ContainerStatus* status = FindStatus(container.name)) {
      const api::ResourceList& actual = status->resources.ValueOrDefault().requests;
      if (footprint == Footprint::kActual && !actual.empty()) return actual;
      if (status->allocated_resources.has_value()) return *status->allocated_resources;
    }
    return is_infeasible_ ? kNone : desired;
  }

  // Reports whether a footprint of each container is the desired one.
  bool IsAsDesired(const api::Pod& pod, Footprint footprint) const {
    const auto is_as_desired = [&](const api::Container& container) {
      return Of(container, footprint) == container.resources.requests;
    };
    return std::ranges::all_of(pod.spec.containers, is_as_desired) &&
           std::ranges::all_of(pod.spec.init_containers, is_as_desired);
  }

 private:
  const api::ContainerStatus* FindStatus(const std::string& container) const {
    const auto found =
        std::ranges::lower_bound(statuses_, container, {}, &api::ContainerStatus::name);
    return found != statuses_.end() && (*found)->name == container ? *found : nullptr;
  }

  std::vector<const api::ContainerStatus*> statuses_;  // by name
  bool is_infeasible_;
};

// Returns a container's requests with the ones that `options` assumes for it.
api::ResourceList WithDefaults(api::ResourceList requests, const RequestOptions& options) {
  // try_emplace keeps an explicit 0.
  if (options.default_cpu) {
    requests.try_emplace(std::string(kCpu), Quantity::FromMilli(kDefaultMilliCpuRequest));
  }
  if (options.default_memory) {
    requests.try_emplace(std::string(kMemory),
                         Quantity::FromValue(kDefaultMemoryRequest, Quantity::Format::kBinarySi));
  }
  return requests;
}

// Raises `sum`, the total of the containers, to the peak during startup, and adds the sidecars.
// `requests_of` returns the requests of a container.
template <class RequestsOf>
void AddInitContainers(const api::Pod& pod, const RequestsOf& requests_of, api::ResourceList& sum) {
  api::ResourceList sidecars;
  api::ResourceList peak;
  for (const api::Container& container : pod.spec.init_containers) {
    api::ResourceList requests = requests_of(container);
    const bool is_sidecar = IsSidecar(container);
    if (is_sidecar) AddTo(sum, requests);
    // Only the container's own resources change: the peak of each other one is at least the sum of
    // its sidecars already.
    for (auto& [name, amount] : requests) {
      if (is_sidecar) {
        amount = sidecars[name] += amount;
      } else if (const auto running = sidecars.find(name); running != sidecars.end()) {
        amount += running->second;
      }
    }
    RaiseTo(peak, requests);
  }
  RaiseTo(sum, peak);
}

template <class RequestsOf>
api::ResourceList SumOf(const api::Pod& pod, const RequestsOf& requests_of) {
  api::ResourceList sum;
  for (const api::Container& container : pod.spec.containers) AddTo(sum, requests_of(container));
  if (!pod.spec.init_containers.empty()) AddInitContainers(pod, requests_of, sum);
  return sum;
}

api::ResourceList SumOfDesired(const api::Pod& pod, const RequestOptions& options) {
  return SumOf(pod, [&options](const api::Container& container) {
    return WithDefaults(container.resources.requests, options);
  });
}

// Returns the highest of the three footprints of the containers. A desired one that the kubelet
// rejected does not count. The figures of the pod as a whole replace those of its containers.
api::ResourceList HighestOfContainers(const api::Pod& pod, const RequestOptions& options) {
  const ContainerFootprints footprints(pod);
  const auto sum_of = [&](Footprint footprint) {
    return SumOf(pod, [&](const api::Container& container) {
      return WithDefaults(footprints.Of(container, footprint), options);
    });
  };
  api::ResourceList highest;
  if (!footprints.is_infeasible()) highest = sum_of(Footprint::kDesired);
  const api::ResourceList& actual = pod.status.resources.ValueOrDefault().requests;
  if (pod.status.allocated_resources.has_value() && !actual.empty()) {
    RaiseTo(highest, *pod.status.allocated_resources);
    RaiseTo(highest, actual);
  } else {
    // Most pods have three equal footprints. A comparison costs less than a sum.
    for (const Footprint footprint : {Footprint::kAllocated, Footprint::kActual}) {
      const bool is_counted = !footprints.is_infeasible() && footprints.IsAsDesired(pod, footprint);
      if (!is_counted) RaiseTo(highest, sum_of(footprint));
    }
  }
  return highest;
}

bool IsPodLevelResource(std::string_view name) {
  return name == kCpu || name == kMemory || name.starts_with(kHugePagesPrefix);
}

bool HasPodLevelResource(const api::ResourceList& list) {
  return std::ranges::any_of(list,
                             [](const auto& entry) { return IsPodLevelResource(entry.first); });
}

void ReplaceByPodLevel(const api::Pod& pod, bool use_status, api::ResourceList& sum) {
  const bool is_reported = use_status && pod.status.resources.has_value();
  api::ResourceList highest;
  if (!is_reported || !ResizeIsInfeasible(pod)) highest = pod.spec.resources->requests;
  if (is_reported) {
    RaiseTo(highest, pod.status.resources->requests);
    RaiseTo(highest, pod.status.allocated_resources.ValueOrDefault());
  }
  for (const auto& [name, amount] : highest) {
    if (IsPodLevelResource(name)) sum[name] = amount;
  }
}

bool IsNative(std::string_view name) {
  return name.find('/') == std::string_view::npos ||
         name.find("kubernetes.io/") != std::string_view::npos;
}

}  // namespace

int64_t SaturatingAdd(int64_t a, int64_t b) {
  int64_t sum = 0;
  if (!__builtin_add_overflow(a, b, &sum)) return sum;
  return b > 0 ? std::numeric_limits<int64_t>::max() : std::numeric_limits<int64_t>::min();
}

int64_t SaturatingSubtract(int64_t a, int64_t b) {
  int64_t difference = 0;
  if (!__builtin_sub_overflow(a, b, &difference)) return difference;
  return b < 0 ? std::numeric_limits<int64_t>::max() : std::numeric_limits<int64_t>::min();
}

int64_t Resources::Scalar(Symbol name) const {
  const auto place = std::lower_bound(
      scalars.begin(), scalars.end(), name,
      [](const auto& entry, Symbol symbol) { return entry.first.symbol() < symbol; });
  return place != scalars.end() && place->first.symbol() == name ? place->second : 0;
}

void Resources::SetScalar(Word name, int64_t amount) {
  const auto place = std::lower_bound(
      scalars.begin(), scalars.end(), name,
      [](const auto& entry, const Word& word) { return entry.first.symbol() < word.symbol(); });
  if (place != scalars.end() && place->first == name) {
    place->second = amount;
  } else {
    scalars.emplace(place, std::move(name), amount);
  }
}

void Resources::Add(const Resources& other) {
  milli_cpu = SaturatingAdd(milli_cpu, other.milli_cpu);
  memory = SaturatingAdd(memory, other.memory);
  ephemeral_storage = SaturatingAdd(ephemeral_storage, other.ephemeral_storage);
  for (const auto& [name, amount] : other.scalars) {
    SetScalar(name, SaturatingAdd(Scalar(name), amount));
  }
}

void Resources::Subtract(const Resources& other) {
  milli_cpu = SaturatingSubtract(milli_cpu, other.milli_cpu);
  memory = SaturatingSubtract(memory, other.memory);
  ephemeral_storage = SaturatingSubtract(ephemeral_storage, other.ephemeral_storage);
  for (const auto& [name, amount] : other.scalars) {
    SetScalar(name, SaturatingSubtract(Scalar(name), amount));
  }
}

api::ResourceList PodRequests(const api::Pod& pod, RequestOptions options) {
  api::ResourceList sum = options.use_status && ReportsResources(pod)
                              ? HighestOfContainers(pod, options)
                              : SumOfDesired(pod, options);
  if (options.pod_level && HasPodLevelRequests(pod)) {
    ReplaceByPodLevel(pod, options.use_status, sum);
  }
  AddTo(sum, pod.spec.overhead.ValueOrDefault());
  return sum;
}

bool HasPodLevelRequests(const api::Pod& pod) {
  return pod.spec.resources.has_value() && HasPodLevelResource(pod.spec.resources->requests);
}

bool HasPodLevelResources(const api::Pod& pod) {
  return pod.spec.resources.has_value() && (HasPodLevelResource(pod.spec.resources->requests) ||
                                            HasPodLevelResource(pod.spec.resources->limits));
}

bool ReportsResources(const api::Pod& pod) {
  const auto reports = [](const api::ContainerStatus& status) {
    return status.resources.has_value() || status.allocated_resources.has_value();
  };
  const api::PodStatus& status = pod.status;
  return status.resources.has_value() || std::ranges::any_of(status.container_statuses, reports) ||
         std::ranges::any_of(status.init_container_statuses, reports) || ResizeIsInfeasible(pod);
}

Resources ToResources(const api::ResourceList& list, Vocabulary& vocabulary) {
  Resources result;
  for (const auto& [name, amount] : list) {
    if (name == kCpu) {
      result.milli_cpu = amount.MilliValue();
    } else if (name == kMemory) {
      result.memory = amount.Value();
    } else if (name == kEphemeralStorage) {
      result.ephemeral_storage = amount.Value();
    } else if (IsScalarResource(name)) {
      result.scalars.emplace_back(vocabulary.Intern(name), amount.Value());
    }
  }
  // One sort instead of an insertion per name: a pod may have 20,000 names.
  std::sort(result.scalars.begin(), result.scalars.end(),
            [](const auto& a, const auto& b) { return a.first.symbol() < b.first.symbol(); });
  return result;
}

bool IsExtendedResource(std::string_view name) {
  constexpr std::string_view kQuotaPrefix = "requests.";
  if (IsNative(name) || name.starts_with(kQuotaPrefix)) return false;
  return CheckQualifiedName(std::string(kQuotaPrefix).append(name)).empty();
}

bool IsScalarResource(std::string_view name) {
  return name.starts_with(kHugePagesPrefix) || name.starts_with("attachable-volumes-") ||
         name.find("kubernetes.io/") != std::string_view::npos || IsExtendedResource(name);
}

bool IsSidecar(const api::Container& init_container) {
  return init_container.restart_policy == "Always";
}

}  // namespace berth::scheduler
