// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "api/meta.h"

namespace berth::api {

// LeaseSpec has times in microseconds. A lease is held until renewTime + leaseDurationSeconds.
struct LeaseSpec {
  std::optional<std::string> holder_identity;
  std::optional<int32_t> lease_duration_seconds;
  std::optional<MicroTime> acquire_time;
  std::optional<MicroTime> renew_time;
  std::optional<int32_t> lease_transitions;

  bool operator==(const LeaseSpec&) const = default;
  static const json::Type& JsonType();
};

struct Lease {
  static constexpr ResourceInfo kResource{.group = "coordination.k8s.io",
                                          .version = "v1",
                                          .kind = "Lease",
                                          .plural = "leases",
                                          .namespaced = true};

  ObjectMeta metadata;
  LeaseSpec spec;

  bool operator==(const Lease&) const = default;
  static const json::Type& JsonType();
};

}  // namespace berth::api
