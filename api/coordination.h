// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "api/meta.h"

namespace berth::api {

// LeaseSpec times have microseconds; a lease is held until renewTime + leaseDurationSeconds.
struct LeaseSpec {
  std::optional<std::string> holder_identity;
  std::optional<int32_t> lease_duration_seconds;
  std::optional<MicroTime> acquire_time;
  std::optional<MicroTime> renew_time;
  std::optional<int32_t> lease_transitions;

  bool operator==(const LeaseSpec&) const = default;
  static constexpr auto Fields() {
    return json::Object(json::Field("holderIdentity", &LeaseSpec::holder_identity),
                        json::Field("leaseDurationSeconds", &LeaseSpec::lease_duration_seconds),
                        json::Field("acquireTime", &LeaseSpec::acquire_time),
                        json::Field("renewTime", &LeaseSpec::renew_time),
                        json::Field("leaseTransitions", &LeaseSpec::lease_transitions));
  }
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
  static constexpr auto Fields() {
    return json::Object(json::Constant("apiVersion", "coordination.k8s.io/v1"),
                        json::Constant("kind", "Lease"), json::Field("metadata", &Lease::metadata),
                        json::Field("spec", &Lease::spec));
  }
};

}  // namespace berth::api

BERTH_JSON_EXTERN(berth::api::Lease);
