// SPDX-License-Identifier: Apache-2.0
#include "convert/strategies.h"

#include <algorithm>
#include <cstdlib>
#include <vector>

#include <fmt/format.h>

#include "base/strings.h"

namespace berth::convert {
namespace {

constexpr std::string_view kLeast = "LeastAllocated";
constexpr std::string_view kMost = "MostAllocated";

// Returns the strategy of a type, or nullptr.
const Strategy* OfType(std::span<const Strategy> strategies, std::string_view type) {
  const auto found = std::ranges::find(strategies, type, &Strategy::type);
  return found == strategies.end() ? nullptr : &*found;
}

bool IsOneOfOpposites(const Strategy& strategy) {
  return strategy.type == kLeast || strategy.type == kMost;
}

std::string Described(const Strategy& strategy) {
  return fmt::format("{} (weight {}{})", strategy.name, strategy.weight,
                     strategy.is_default ? ", default and not disabled" : "");
}

}  // namespace

StrategyChoice ChooseStrategy(std::span<const Strategy> strategies) {
  const Strategy* least = OfType(strategies, kLeast);
  const Strategy* most = OfType(strategies, kMost);
  const bool are_opposite =
      least != nullptr && most != nullptr && least->resources == most->resources;
  const auto weight_of = [&](const Strategy& strategy) {
    if (!are_opposite || (&strategy != least && &strategy != most)) return strategy.weight;
    return 2 * strategy.weight - least->weight - most->weight;
  };
  StrategyChoice choice;
  for (const Strategy& strategy : strategies) {
    const int64_t weight = weight_of(strategy);
    const bool replaces_default =
        choice.kept != nullptr && choice.kept->is_default && !strategy.is_default && weight > 0;
    const bool yields = choice.kept != nullptr && !choice.kept->is_default && strategy.is_default;
    if (!replaces_default && (yields || weight <= choice.weight)) continue;
    choice.kept = &strategy;
    choice.weight = weight;
  }
  std::vector<std::string> others;
  for (const Strategy& strategy : strategies) {
    if (&strategy != choice.kept) others.push_back(Described(strategy));
  }
  if (!others.empty()) choice.remark = "scored together with " + Join(others, ", ");
  if (choice.kept != nullptr && choice.weight != choice.kept->weight) {
    choice.remark +=
        fmt::format("; their scores are opposite, so weight {} remains", choice.weight);
  }
  return choice;
}

std::string WhyNotKept(const Strategy& lost, const StrategyChoice& choice) {
  if (choice.kept == nullptr) {
    return "LeastAllocated and MostAllocated with equal weights have the same sum on each node: "
           "resources do not count";
  }
  const bool is_combined = choice.weight != choice.kept->weight && IsOneOfOpposites(lost);
  return fmt::format("{}{}: a profile has only one scoring strategy of {}, here that of {}{}",
                     lost.is_default ? fmt::format("weight {}, not disabled; ", lost.weight) : "",
                     is_combined ? "combined" : "not expressible", kFit, choice.kept->path,
                     is_combined ? fmt::format(", with weight {}", choice.weight) : "");
}

}  // namespace berth::convert
