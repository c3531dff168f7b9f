// SPDX-License-Identifier: Apache-2.0
#include "scheduler/model/qos_class.h"

#include <array>
#include <string_view>

namespace berth::scheduler {
namespace {

constexpr std::array<std::string_view, 2> kCounted = {"cpu", "memory"};

// Amounts is what counts of a resource list, by the order of kCounted; zero is as good as absent.
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
  bool limited = true;  // in cpu and memory, wherever resources stand
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
