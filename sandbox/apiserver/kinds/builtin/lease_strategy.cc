// SPDX-License-Identifier: Apache-2.0
// Lease. Source: pkg/apis/coordination/validation of Kubernetes.
#include <nlohmann/json.hpp>

#include "sandbox/apiserver/kinds/builtin/strategies.h"
#include "sandbox/apiserver/kinds/field.h"
#include "sandbox/apiserver/kinds/strategy.h"

namespace berth::apiserver {
namespace {

using nlohmann::json;

// Fields of coordinated leader election, which is off unless a cluster turns it on.
void DropCoordination(json& lease) {
  for (const char* field : {"strategy", "preferredHolder"}) {
    if (lease.contains("spec")) lease["spec"].erase(field);
  }
}
void PrepareLease(json& lease, Time /*now*/) { DropCoordination(lease); }
void PrepareLeaseUpdate(json& lease, const json& /*old*/) { DropCoordination(lease); }

void ValidateLease(const json& object, Problems& problems) {
  const Field spec = Field(object, problems)["spec"];
  spec["leaseDurationSeconds"].AtLeast(1, kPositive);
  spec["leaseTransitions"].AtLeast(0, kNotNegative);
}

}  // namespace

const Strategy* LeaseStrategy(const KindInfo& kind) {
  static const Strategy kLease = {.prepare_create = PrepareLease,
                                  .prepare_update = PrepareLeaseUpdate,
                                  .validate = ValidateLease};
  return kind.group == "coordination.k8s.io" && kind.kind == "Lease" ? &kLease : nullptr;
}

}  // namespace berth::apiserver
