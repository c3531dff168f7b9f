// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "api/field_error.h"
#include "api/scheduler_config.h"
#include "base/error.h"
#include "crds/plugin_catalogue.h"

// ExtenderConfiguration, the file of `berth extender`: what is served, at which addresses, with which
// plugins.
namespace berth::extender {

inline constexpr std::string_view kKind = "ExtenderConfiguration";

// ServedExtender is an entry of `extenders` in the KubeSchedulerConfiguration of the scheduler that
// asks, as it stands there, and the plugins that answer. Of the entry's own fields count here:
// urlPrefix, of which only the path does, the verbs, nodeCacheCapable, and httpTimeout, after which
// nobody waits for an answer any more. The others are the caller's.
//
// The plugins are those of a profile, but begin with none instead of the default profile.
struct ServedExtender : api::Extender {
  api::Plugins plugins;
  std::vector<api::PluginConfig> plugin_config;

  bool operator==(const ServedExtender&) const = default;
  static const json::Type& JsonType();
};

struct ExtenderConfiguration {
  std::vector<ServedExtender> extenders;

  bool operator==(const ExtenderConfiguration&) const = default;
  static const json::Type& JsonType();
};

// LoadConfiguration reads YAML or JSON strictly and sets the defaults. Errors (kConfig) begin with
// `source`, the file's path.
Result<ExtenderConfiguration> LoadConfiguration(std::string_view text, std::string_view source);

// Validate gives all mistakes, or none. Requires: LoadConfiguration read it.
std::vector<api::FieldError> Validate(const ExtenderConfiguration& config,
                                      const crds::PluginCatalogueView& catalogue);

// PathOf is where a verb is served: "/prefix/verb", as kube-scheduler puts its URL together. Source:
// kube-scheduler pkg/scheduler/extender.go, send.
std::string PathOf(const ServedExtender& entry, std::string_view verb);

// ProfileOf is the entry's plugins as a profile: without those of the default profile, and with what
// every profile has to have though no extender is asked for it.
api::KubeSchedulerProfile ProfileOf(const ServedExtender& entry);

}  // namespace berth::extender
