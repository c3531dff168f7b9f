// SPDX-License-Identifier: Apache-2.0
#include "api/coordination.h"

namespace berth::api {

const json::Type& LeaseSpec::JsonType() {
  static const json::Type type = json::Describe<LeaseSpec>(
      json::Object(json::Field("holderIdentity", &LeaseSpec::holder_identity),
                   json::Field("leaseDurationSeconds", &LeaseSpec::lease_duration_seconds),
                   json::Field("acquireTime", &LeaseSpec::acquire_time),
                   json::Field("renewTime", &LeaseSpec::renew_time),
                   json::Field("leaseTransitions", &LeaseSpec::lease_transitions)));
  return type;
}

const json::Type& Lease::JsonType() {
  static const json::Type type = json::Describe<Lease>(json::Object(
      json::Constant("apiVersion", "coordination.k8s.io/v1"), json::Constant("kind", "Lease"),
      json::Field("metadata", &Lease::metadata), json::Field("spec", &Lease::spec)));
  return type;
}

}  // namespace berth::api
