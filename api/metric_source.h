// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "api/field_error.h"
#include "api/scheduler_config.h"

namespace berth::api {

// MetricSource is the Prometheus that a plugin asks about nodes, as the plugin's arguments name it.
// It stands here, and not with the plugin, because whoever runs schedulers for others must know where
// they would send requests, and with which Secret.
struct MetricSource {
  std::string address;
  std::string secret_name;

  // Url is the address with its scheme, http where it names none.
  std::string Url() const;

  bool operator==(const MetricSource&) const = default;
  static const json::Type& JsonType();
};

// Check gives what is wrong with a source whoever asks for it: an address that cannot be read, or a
// Secret that would be sent without TLS. Paths begin with `path`, which may be empty.
std::vector<FieldError> Check(const MetricSource& source, const std::string& path);

// CheckOutbound gives what no profile may ask of a source (api/outbound_address.h). Requires: Check
// found nothing.
std::vector<FieldError> CheckOutbound(const MetricSource& source, const std::string& path);

// ConfiguredMetricSource is a source in the arguments of a plugin.
struct ConfiguredMetricSource {
  MetricSource source;
  std::string path;  // of the arguments: "pluginConfig[name=NetworkTraffic].args"
};

// MetricSourcesOf gives the sources that arguments name. What cannot be read names none: the plugin
// refuses it.
std::vector<ConfiguredMetricSource> MetricSourcesOf(const std::vector<PluginConfig>& configs);

}  // namespace berth::api
