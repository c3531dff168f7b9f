// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "base/error.h"
#include "convert/finding.h"

// What became of plugins since the first versions of KubeSchedulerConfiguration.
namespace berth::convert {

enum class ConfigVersion : uint8_t { kV1Alpha1, kV1Alpha2, kV1Beta1, kV1Beta2, kV1Beta3, kV1 };

inline constexpr std::string_view kConfigKind = "KubeSchedulerConfiguration";

// ConfigVersionOf reads "kubescheduler.config.k8s.io/v1beta1". Errors (kConfig) list what is known.
Result<ConfigVersion> ConfigVersionOf(std::string_view api_version);

// OldPlugin is a plugin that has another name now, or is part of another, or is gone.
struct OldPlugin {
  std::string_view name;
  std::string_view now;            // empty: gone
  std::string_view strategy = "";  // of NodeResourcesFit
  Outcome outcome = Outcome::kExact;
  std::string_view remark = "";
  bool was_default = false;  // in the default profile of that time
};

std::span<const OldPlugin> OldPlugins();

// FindOldPlugin gives nullptr for a plugin that is what it was.
const OldPlugin* FindOldPlugin(std::string_view name);

// kNetworkTraffic scores nodes by their traffic, as Prometheus has it. People who wrote such a plugin
// spell it in several ways.
inline constexpr std::string_view kNetworkTraffic = "NetworkTraffic";

// ProperName mends spellings of NetworkTraffic, such as "network_traffic"; other names stay.
std::string ProperName(std::string_view plugin);

// DefaultChange is what the default profile of an old version had otherwise.
struct DefaultChange {
  ConfigVersion last;  // version that had it
  std::string_view plugin;
  std::string_view was;
  std::string_view is;
  std::string_view keep;  // how to have the old one
};

std::span<const DefaultChange> DefaultChanges();

}  // namespace berth::convert
