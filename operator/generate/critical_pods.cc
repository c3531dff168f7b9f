// SPDX-License-Identifier: Apache-2.0
#include "operator/generate/critical_pods.h"

#include "crds/run_spec.h"
#include "operator/generate/operator_meta.h"

namespace berth::operator_ {

// The default PriorityClass of profiles is also the operator's.
api::ResourceQuota CriticalPodsQuota(const std::string& ns) {
  api::ResourceQuota quota{.metadata =
                               crds::InstalledMeta("berth-critical-pods", kOperatorComponent)};
  quota.metadata.namespace_ = ns;
  quota.spec.hard = {{"pods", Quantity::Parse("1k").value()}};
  quota.spec.scope_selector = api::ScopeSelector{
      .match_expressions = {{.scope_name = "PriorityClass",
                             .op = "In",
                             .values = {crds::DeploymentSpec{}.priority_class_name}}}};
  return quota;
}

}  // namespace berth::operator_
