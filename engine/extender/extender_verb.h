// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "api/scheduler_config.h"

namespace berth::engine {

// ExtenderVerb is a request that an extender can serve.
enum class ExtenderVerb : uint8_t { kFilter, kPrioritize, kPreempt, kBind };

// ExtenderVerbRow describes a verb: its name in metrics, and the field of an extender's
// configuration with its path; an empty path means that the extender does not serve it.
struct ExtenderVerbRow {
  ExtenderVerb verb;
  std::string_view name;
  std::string_view field;
  std::string api::ExtenderCalls::*path;
};

// The row of each verb, indexed by the verb.
inline constexpr std::array kExtenderVerbs = {
    ExtenderVerbRow{ExtenderVerb::kFilter, "filter", "filterVerb",
                    &api::ExtenderCalls::filter_verb},
    ExtenderVerbRow{ExtenderVerb::kPrioritize, "prioritize", "prioritizeVerb",
                    &api::ExtenderCalls::prioritize_verb},
    ExtenderVerbRow{ExtenderVerb::kPreempt, "preempt", "preemptVerb",
                    &api::ExtenderCalls::preempt_verb},
    ExtenderVerbRow{ExtenderVerb::kBind, "bind", "bindVerb", &api::ExtenderCalls::bind_verb},
};

constexpr const ExtenderVerbRow& RowOf(ExtenderVerb verb) {
  return kExtenderVerbs[static_cast<size_t>(verb)];
}
static_assert([] {
  for (size_t i = 0; i < kExtenderVerbs.size(); ++i) {
    if (kExtenderVerbs[i].verb != static_cast<ExtenderVerb>(i)) return false;
  }
  return true;
}());

inline std::string ToString(ExtenderVerb verb) { return std::string(RowOf(verb).name); }

}  // namespace berth::engine
