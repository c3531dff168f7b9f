// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "base/json/json.h"

// Former plugins and priorities that scored nodes by their resources. Now they are scoring
// strategies of NodeResourcesFit, and a profile has only one.
namespace berth::convert {

inline constexpr std::string_view kFit = "NodeResourcesFit";

// Strategy is one of them in a source.
struct Strategy {
  std::string path;       // in the report
  std::string_view name;  // of the plugin or priority
  std::string_view type;  // of the strategy; empty: NodeResourcesFit's own arguments
  int64_t weight = 1;
  json::Raw resources;      // empty: cpu and memory with equal weights
  bool is_default = false;  // from the default profile
};

struct StrategyChoice {
  const Strategy* kept = nullptr;  // nullptr: the strategies cancel each other out
  int64_t weight = 0;              // of the kept one
  std::string remark;              // the other strategies; empty if there are none
};

// Chooses the strategy that places pods most alike. LeastAllocated and MostAllocated of the same
// resources are opposite: their scores add up to 100, so the difference of their weights remains.
// Of others, the one with the greatest weight is kept, and a default one only if it is alone.
// Requires: the strategies are not empty and have different types.
StrategyChoice ChooseStrategy(std::span<const Strategy> strategies);

// Returns why a strategy of the same source is not the kept one.
std::string WhyNotKept(const Strategy& lost, const StrategyChoice& choice);

}  // namespace berth::convert
