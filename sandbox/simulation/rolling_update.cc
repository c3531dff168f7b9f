// SPDX-License-Identifier: Apache-2.0
#include "sandbox/simulation/rolling_update.h"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace berth::simulation {
namespace {

constexpr double kDefaultPercent = 25;

enum class Round { kUp, kDown };

int32_t Resolve(const std::optional<IntOrString>& value, int32_t replicas, Round round) {
  double percent = kDefaultPercent;
  if (value && value->IsInt()) return value->number();
  if (value) {
    const std::string_view word = value->word();
    std::from_chars(word.data(), word.data() + word.size(), percent);
  }
  const double exact = percent * replicas / 100;
  return static_cast<int32_t>(round == Round::kUp ? std::ceil(exact) : std::floor(exact));
}

struct Sums {
  int32_t wanted = 0;
  int32_t available = 0;
};

Sums SumsOf(const ReplicaSet& newest, const std::vector<const ReplicaSet*>& old) {
  Sums sums{newest.spec.replicas, newest.status.available_replicas};
  for (const ReplicaSet* set : old) {
    sums.wanted += set->spec.replicas;
    sums.available += set->status.available_replicas;
  }
  return sums;
}

}  // namespace

Allowance AllowanceOf(const DeploymentSpec& spec) {
  if (spec.strategy.type == "Recreate") return {};
  const api::RollingUpdateDeployment given =
      spec.strategy.rolling_update.value_or(api::RollingUpdateDeployment());
  Allowance allowance{
      .max_unavailable = Resolve(given.max_unavailable, spec.replicas, Round::kDown),
      .max_surge = Resolve(given.max_surge, spec.replicas, Round::kUp)};
  if (allowance.max_unavailable == 0 && allowance.max_surge == 0) allowance.max_unavailable = 1;
  allowance.max_unavailable = std::min(allowance.max_unavailable, spec.replicas);
  return allowance;
}

int32_t NewReplicas(const DeploymentSpec& spec, int32_t current, int32_t total) {
  if (current >= spec.replicas || spec.strategy.type == "Recreate") return spec.replicas;
  const int32_t room = spec.replicas + AllowanceOf(spec).max_surge - total;
  return current + std::clamp(room, 0, spec.replicas - current);
}

Scales ScaleOldDown(const DeploymentSpec& spec, const ReplicaSet& newest,
                    const std::vector<const ReplicaSet*>& old) {
  const int32_t min_available = spec.replicas - AllowanceOf(spec).max_unavailable;
  const Sums sums = SumsOf(newest, old);
  const int32_t new_unavailable = newest.spec.replicas - newest.status.available_replicas;
  int32_t budget = sums.wanted - min_available - new_unavailable;
  Scales scales;
  if (budget <= 0) return scales;
  int32_t spare = sums.available - min_available;
  for (const ReplicaSet* set : old) {
    const int32_t broken =
        std::clamp(set->spec.replicas - set->status.available_replicas, 0, budget);
    budget -= broken;
    const int32_t healthy = std::max(0, std::min({set->spec.replicas - broken, spare, budget}));
    spare -= healthy;
    budget -= healthy;
    if (broken + healthy > 0) scales[set->metadata.name] = set->spec.replicas - broken - healthy;
  }
  return scales;
}

}  // namespace berth::simulation
