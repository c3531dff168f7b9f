// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "convert/finding.h"
#include "convert/versions.h"

// Changes of plugins since the first versions of KubeSchedulerConfiguration.
namespace berth::convert {

// OldPlugin is a plugin that was renamed, merged into another plugin, or removed.
struct OldPlugin {
  std::string_view name;
  std::string_view now;            // current name; empty: removed
  std::string_view strategy = "";  // of NodeResourcesFit
  Outcome outcome = Outcome::kExact;
  std::string_view remark = "";
  bool was_default = false;  // in the default profile of its time
};

std::span<const OldPlugin> OldPlugins();

// Returns nullptr for an unchanged plugin.
const OldPlugin* FindOldPlugin(std::string_view name);

// kNetworkTraffic scores nodes by their network traffic from Prometheus. Users who wrote such a
// plugin spell its name in several ways.
inline constexpr std::string_view kNetworkTraffic = "NetworkTraffic";

// Corrects spellings of NetworkTraffic, such as "network_traffic". Returns other names unchanged.
std::string ProperName(std::string_view plugin);

// DefaultChange is a difference between an old version's default profile and the current one.
struct DefaultChange {
  ConfigVersion last;  // last version with the old default
  std::string_view plugin;
  std::string_view was;
  std::string_view is;
  std::string_view keep;          // how to restore the old default
  std::string_view instead = "";  // the plugin that took its place
};

std::span<const DefaultChange> DefaultChanges();

}  // namespace berth::convert
