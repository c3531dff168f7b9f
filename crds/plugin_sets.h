// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/json/json.h"

namespace berth::crds {

// The plugin part of a profile, with the fields and words of a KubeSchedulerConfiguration v1
// profile.

struct EnabledPlugin {
  std::string name;
  int32_t weight = 0;
  bool operator==(const EnabledPlugin&) const = default;

  static const json::Type& JsonType();
};

struct DisabledPlugin {
  std::string name;
  bool operator==(const DisabledPlugin&) const = default;

  static const json::Type& JsonType();
};

struct PluginSet {
  std::vector<EnabledPlugin> enabled;
  std::vector<DisabledPlugin> disabled;
  bool operator==(const PluginSet&) const = default;

  static const json::Type& JsonType();
};

struct Plugins {
  PluginSet pre_enqueue;
  PluginSet queue_sort;
  PluginSet pre_filter;
  PluginSet filter;
  PluginSet post_filter;
  PluginSet pre_score;
  PluginSet score;
  PluginSet reserve;
  PluginSet permit;
  PluginSet pre_bind;
  PluginSet bind;
  PluginSet post_bind;
  PluginSet placement_generate;
  PluginSet placement_score;
  PluginSet multi_point;
  bool operator==(const Plugins&) const = default;

  static constexpr std::string_view kOneQueueSort = "only one queue sort plugin can be enabled";

  static const json::Type& JsonType();

  // Point is one of the members by its name in the configuration.
  struct Point {
    std::string_view name;
    PluginSet Plugins::*set;
  };
  static const std::array<Point, 15>& Points();  // in the order of Fields()
};

struct PluginConfig {
  std::string name;
  json::Raw args;
  bool operator==(const PluginConfig&) const = default;

  static const json::Type& JsonType();
};

}  // namespace berth::crds
