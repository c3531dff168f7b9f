// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "api/scheduler_config.h"

namespace berth::engine {

// ExtenderVerb is what an extender may be asked.
enum class ExtenderVerb : uint8_t { kFilter, kPrioritize, kPreempt, kBind };

// ExtenderVerbRow is all that is to be known of a verb: its name in metrics, and the field of an
// extender's configuration that says where it is asked, empty for one that it does not serve.
struct ExtenderVerbRow {
  ExtenderVerb verb;
  std::string_view name;
  std::string_view field;
  std::string api::ExtenderCalls::*path;
};

// kExtenderVerbs has the row of each verb at the verb's own place.
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
