// SPDX-License-Identifier: Apache-2.0
#include "sandbox/simulation/kubelet/resources.h"

#include <algorithm>

namespace berth::simulation {
namespace {

void Add(api::ResourceList& sum, const api::ResourceList& more) {
  for (const auto& [name, quantity] : more) sum[name] += quantity;
}

void Raise(api::ResourceList& most, const api::ResourceList& other) {
  for (const auto& [name, quantity] : other) most[name] = std::max(most[name], quantity);
}

}  // namespace

api::ResourceList RequestsOf(const api::Pod& pod) {
  api::ResourceList sum;
  for (const api::Container& container : pod.spec.containers) {
    Add(sum, container.resources.requests);
  }
  api::ResourceList sidecars;
  api::ResourceList most;
  for (const api::Container& container : pod.spec.init_containers) {
    if (container.restart_policy == "Always") {
      Add(sidecars, container.resources.requests);
      Raise(most, sidecars);
    } else {
      api::ResourceList step = sidecars;
      Add(step, container.resources.requests);
      Raise(most, step);
    }
  }
  Add(sum, sidecars);
  Raise(sum, most);
  if (pod.spec.resources) {
    for (const auto& [name, quantity] : pod.spec.resources->requests) sum[name] = quantity;
  }
  if (pod.spec.overhead) Add(sum, *pod.spec.overhead);
  return sum;
}

int64_t Amount(const std::string& resource, const Quantity& quantity) {
  return resource == "cpu" ? quantity.MilliValue() : quantity.Value();
}

}  // namespace berth::simulation
