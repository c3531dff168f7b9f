// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "scheduler/framework/registry.h"
#include "scheduler/framework/result_cache.h"
#include "tests/scheduler/reuse/world.h"

namespace berth::scheduler::testing {

// MakePlugins gives the plugins of a walk, of which its profiles are drawn.
using MakePlugins = std::function<Registry(const Facts&)>;

struct WalkOptions {
  uint64_t seed = 1;
  size_t steps = 1000;
  size_t nodes = 500;
  size_t shapes = 12;  // of pods that come again and again
  size_t result_cache_bytes = ResultCache::kDefaultBytes;
  MakePlugins plugins;
  bool has_extenders = false;
};

// OptionsOf is what a seed stands for: seeds go round the shipped plugins and the scripted ones,
// few and many shapes, much room for kept answers and so little that they are given up, extenders
// and none.
WalkOptions OptionsOf(uint64_t seed, size_t steps, size_t nodes);

struct WalkReport {
  size_t steps = 0;
  size_t decisions = 0;
  size_t placed = 0;
  size_t unschedulable = 0;
  size_t errors = 0;
  size_t reloads = 0;
  size_t extender_calls = 0;
  ResultCacheStatistics result_cache;
  // The step, the pod and what differed; nothing when reuse left no trace. The walk ends there.
  std::optional<std::string> difference;
};

// Walk lets a world change at random and makes about every second step a decision, with one Reuse
// over the whole walk and again without. The same options give the same walk.
WalkReport Walk(const WalkOptions& options);

// Summary is the report in one line.
std::string Summary(const WalkOptions& options, const WalkReport& report);

}  // namespace berth::scheduler::testing
