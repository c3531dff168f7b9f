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

// Returns the name of the machine or pod; "localhost" if it has none.
std::string HostName();

// Returns the host name and a fresh UUID, like holders of a Lease in Kubernetes.
Result<std::string> NewIdentity();

// LogFlags are the flags of every long-running command.
struct LogFlags {
  int verbosity = 0;
  std::string format = "text";
};

// Returns the flags. Requires: `flags` outlives the returned flags.
std::vector<Flag> FlagsOf(LogFlags& flags);

// Configures logging. `json_time` is the unit of times in JSON.
void ConfigureLog(const LogFlags& flags, const std::string& component, log::TimeUnit json_time);

// Endpoints serves the health paths, /metrics if metrics is set, the paths handled by `more`, and
// 404 otherwise. Requires: `metrics` outlives it.
struct Endpoints {
  std::vector<http::HealthEndpoint> health = {};
  const MetricsRegistry* metrics = nullptr;
  std::function<std::optional<http::Response>(const http::Request&)> more = {};

  http::Response operator()(const http::Request& request) const;
};

}  // namespace berth::operator_
