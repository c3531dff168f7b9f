// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "base/error.h"
#include "base/flags.h"
#include "base/log.h"
#include "base/metrics.h"
#include "http/server/health.h"
#include "http/server/server.h"

namespace berth::operator_ {

// HostName is that of the machine or the pod; "localhost" when it has none.
std::string HostName();

// NewIdentity is the host's name and a fresh UUID, as holders of a Lease are called in Kubernetes.
Result<std::string> NewIdentity();

// LogFlags are those of every command that runs until it is stopped.
struct LogFlags {
  int verbosity = 0;
  std::string format = "text";
};

// FlagsOf describes them. Requires: `flags` outlives what reads them.
std::vector<Flag> FlagsOf(LogFlags& flags);

// ConfigureLog makes the process log as the flags say. `json_time` is the unit of times in JSON.
void ConfigureLog(const LogFlags& flags, const std::string& component, log::TimeUnit json_time);

// Endpoints answers the health paths, /metrics where there are metrics, what `more` says of other
// paths, and 404 for the rest. Requires: `metrics` outlives it.
struct Endpoints {
  std::vector<http::HealthEndpoint> health = {};
  const MetricsRegistry* metrics = nullptr;
  std::function<std::optional<http::Response>(const http::Request&)> more = {};

  http::Response operator()(const http::Request& request) const;
};

}  // namespace berth::operator_
