// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "api/field_error.h"
#include "api/scheduler_config.h"
#include "base/error.h"
#include "crds/plugin_catalogue.h"

// ExtenderConfiguration is the configuration file of `berth extender`: the extenders to serve,
// their paths and their plugins.
namespace berth::extender {

inline constexpr std::string_view kKind = "ExtenderConfiguration";

// ServedExtender is an entry of `extenders` of the calling scheduler's KubeSchedulerConfiguration,
// unchanged, and the plugins to run. It uses these fields of the entry: the path of urlPrefix, the
// verbs, nodeCacheCapable, and httpTimeout, after which the caller no longer waits. The other
// fields are for the caller.
//
// The plugins are configured as in a profile, but the default profile's plugins are not enabled.
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

// Parses YAML or JSON strictly and sets the defaults. Errors (kConfig) begin with `source`, the
// file's path.
Result<ExtenderConfiguration> LoadConfiguration(std::string_view text, std::string_view source);

// Returns all field errors. Requires: LoadConfiguration parsed the configuration.
std::vector<api::FieldError> Validate(const ExtenderConfiguration& config,
                                      const crds::PluginCatalogueView& catalogue);

// Returns the path of a verb, "/prefix/verb", composed like kube-scheduler's URL. Source:
// kube-scheduler pkg/scheduler/extender.go, send.
std::string PathOf(const ServedExtender& entry, std::string_view verb);

// Returns the entry's plugins as a profile: without the default profile's plugins, but with those
// that every profile must have although extenders do not use them.
api::KubeSchedulerProfile ProfileOf(const ServedExtender& entry);

}  // namespace berth::extender
