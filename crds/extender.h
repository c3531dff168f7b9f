// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "api/scheduler_config.h"

namespace berth::crds {

// ExtenderTls is the TLS configuration of a profile's extender: files as in a
// KubeSchedulerConfiguration, or a Secret.
struct ExtenderTls : api::ExtenderTlsConfig {
  std::string secret_name;
  bool operator==(const ExtenderTls&) const = default;

  static const json::Type& JsonType();
};

// Extender is an HTTP service that takes part in scheduling, as written in a profile.
struct Extender : api::ExtenderCalls {
  int32_t weight = 0;
  std::optional<ExtenderTls> tls_config;
  bool operator==(const Extender&) const = default;

  static const json::Type& JsonType();
};

}  // namespace berth::crds
