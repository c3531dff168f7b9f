// SPDX-License-Identifier: Apache-2.0
#include "scheduler/framework/plugin_calls.h"

namespace berth::scheduler {

const PluginCall* PluginCalls::Of(std::string_view plugin, std::string_view point) {
  for (const PluginCall& call : known_) {
    if (call.plugin == plugin && call.point == point) return &call;
  }
  return &known_.emplace_back(PluginCall{*this, std::string(plugin), std::string(point)});
}

}  // namespace berth::scheduler
