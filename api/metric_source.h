// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "api/field_error.h"
#include "api/scheduler_config.h"

namespace berth::api {

// MetricSource is the Prometheus server that a plugin queries for node metrics, as configured in
// the plugin's arguments. It is not part of the plugin because the operator must know where a
// scheduler sends requests, and with which Secret.
struct MetricSource {
  std::string address;
  std::string secret_name;

  // Returns the address with its scheme; http by default.
  std::string Url() const;

  bool operator==(const MetricSource&) const = default;
  static const json::Type& JsonType();
};

// Validates a source for any user: an invalid address, or a Secret that would be sent without TLS.
// Paths begin with `path`, which may be empty.
std::vector<FieldError> Check(const MetricSource& source, const std::string& path);

// Returns the violations of the rules for SchedulerProfiles (api/outbound_address.h). Requires:
// Check returned no error.
std::vector<FieldError> CheckOutbound(const MetricSource& source, const std::string& path);

// ConfiguredMetricSource is a source in a plugin's arguments.
struct ConfiguredMetricSource {
  MetricSource source;
  std::string path;  // of the arguments: "pluginConfig[name=NetworkTraffic].args"
};

// Returns the sources in the arguments. Invalid arguments have none; the plugin rejects them.
std::vector<ConfiguredMetricSource> MetricSourcesOf(const std::vector<PluginConfig>& configs);

}  // namespace berth::api
