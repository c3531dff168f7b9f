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

// Returns the plugins of a walk; its profiles are drawn from them.
using MakePlugins = std::function<Registry(const Facts&)>;

struct WalkOptions {
  uint64_t seed = 1;
  size_t steps = 1000;
  size_t nodes = 500;
  size_t shapes = 12;  // number of recurring pod shapes
  size_t result_cache_bytes = ResultCache::kDefaultBytes;
  MakePlugins plugins;
  bool has_extenders = false;
};

// Returns the options of a seed. Seeds alternate between shipped and scripted plugins, few and many
// shapes, a large cache and one that must evict, with and without extenders.
WalkOptions OptionsOf(uint64_t seed, size_t steps, size_t nodes);

struct WalkReport {
  size_t steps = 0;
  size_t decisions = 0;
  size_t placed = 0;
  size_t unschedulable = 0;
  size_t errors = 0;
  size_t shared_rejections = 0;  // taken from an equivalent pod
  size_t reloads = 0;
  size_t extender_calls = 0;
  ResultCacheStatistics result_cache;
  // Step, pod and differences; nullopt if there was none. The walk ends at the first difference.
  std::optional<std::string> difference;
};

// Changes a world at random. About every second step is a decision, made with one ResultCache over
// the whole walk and again without it. Equal options give equal walks.
WalkReport Walk(const WalkOptions& options);

// Returns the report as one line.
std::string Summary(const WalkOptions& options, const WalkReport& report);

}  // namespace berth::scheduler::testing
