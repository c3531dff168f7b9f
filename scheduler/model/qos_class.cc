// SPDX-License-Identifier: Apache-2.0
#include "scheduler/model/qos_class.h"

#include <algorithm>
#include <optional>
#include <string_view>

#include "scheduler/model/resource.h"

namespace berth::scheduler {
namespace {

Quantity AmountOf(const api::ResourceList& list, std::string_view name) {
  const auto found = list.find(std::string(name));
  return found == list.end() ? Quantity() : found->second;
}

// Returns the class by one resource.
QosClass ClassBy(std::string_view name, const api::ResourceRequirements& resources) {
  const Quantity request = AmountOf(resources.requests, name);
  if (request != AmountOf(resources.limits, name)) return QosClass::kBurstable;
  return request.IsZero() ? QosClass::kBestEffort : QosClass::kGuaranteed;
}

// Parts of different classes are Burstable together.
QosClass Together(QosClass one, QosClass other) {
  return one == other ? one : QosClass::kBurstable;
}

QosClass ClassOf(const api::ResourceRequirements& resources) {
  return Together(ClassBy("cpu", resources), ClassBy("memory", resources));
}

}  // namespace

QosClass QosClassOf(const api::Pod& pod) {
  const api::PodSpec& spec = pod.spec;
  if (HasPodLevelResources(pod)) return ClassOf(*spec.resources);
  std::optional<QosClass> all;
  for (const auto* containers : {&spec.init_containers, &spec.containers}) {
    for (const api::Container& container : *containers) {
      const QosClass own = ClassOf(container.resources);
      all = all ? Together(*all, own) : own;
    }
  }
  return all.value_or(QosClass::kBestEffort);
}

}  // namespace berth::scheduler
