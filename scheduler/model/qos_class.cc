// SPDX-License-Identifier: Apache-2.0
#include "scheduler/model/qos_class.h"

#include <array>
#include <string_view>

namespace berth::scheduler {
namespace {

constexpr std::array<std::string_view, 2> kCounted = {"cpu", "memory"};

// Amounts are the counted amounts of a resource list, in the order of kCounted; zero means absent.
struct Amounts {
  std::array<Quantity, kCounted.size()> of;

  static Amounts Of(const api::ResourceList& list) {
    Amounts amounts;
    for (const auto& [name, amount] : list) {
      for (size_t i = 0; i < kCounted.size(); ++i) {
        if (name == kCounted[i] && amount > Quantity()) amounts.of[i] = amount;
      }
    }
    return amounts;
  }
  void Add(const Amounts& other) {
    for (size_t i = 0; i < of.size(); ++i) of[i] += other.of[i];
  }
  bool None() const { return of[0].IsZero() && of[1].IsZero(); }
  bool All() const { return !of[0].IsZero() && !of[1].IsZero(); }
  bool operator==(const Amounts&) const = default;
};

}  // namespace

QosClass QosClassOf(const api::Pod& pod) {
  Amounts requests;
  Amounts limits;
  bool limited = true;  // all have limits for cpu and memory
  const auto add = [&](const api::ResourceRequirements& resources) {
    const Amounts own_limits = Amounts::Of(resources.limits);
    requests.Add(Amounts::Of(resources.requests));
    limits.Add(own_limits);
    limited &= own_limits.All();
  };
  const api::PodSpec& spec = pod.spec;
  if (spec.resources.has_value()) {
    add(*spec.resources);
  } else {
    for (const api::Container& container : spec.containers) add(container.resources);
    for (const api::Container& container : spec.init_containers) add(container.resources);
  }
  if (requests.None() && limits.None()) return QosClass::kBestEffort;
  return limited && requests == limits ? QosClass::kGuaranteed : QosClass::kBurstable;
}

}  // namespace berth::scheduler
