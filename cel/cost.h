// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstdint>

#include "cel/function.h"

// Kubernetes' cost model. One unit is about one simple operation; walking over text costs a tenth
// of a unit per character. Source: cel-go's interpreter/runtimecost.go and apiserver's
// pkg/cel/library/cost.go, 1.37.
namespace berth::cel {

inline constexpr uint64_t kListCost = 10;  // creating a list
inline constexpr uint64_t kMapCost = 30;   // creating a map

inline uint64_t TextCost(uint64_t size, int passes = 1) {
  return static_cast<uint64_t>(
      std::ceil(static_cast<double>(size * static_cast<uint64_t>(passes)) / 10));
}

// TraversalCost is the cost of one walk over the first argument, TwiceTraversalCost of two.
inline uint64_t TraversalCost(Arguments arguments, const Value& /*result*/) {
  return TextCost(SizeOf(arguments[0]));
}
inline uint64_t TwiceTraversalCost(Arguments arguments, const Value& /*result*/) {
  return TextCost(SizeOf(arguments[0]), 2);
}

// Returns the cost of matching a text against a regular expression.
inline uint64_t PatternCost(uint64_t text_size, uint64_t pattern_size) {
  const auto pattern = static_cast<uint64_t>(std::ceil(static_cast<double>(pattern_size) / 4));
  return TextCost(text_size + 1) * pattern;
}

}  // namespace berth::cel
