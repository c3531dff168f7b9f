// SPDX-License-Identifier: Apache-2.0
#include "scheduler/plugins/dynamic_resources.h"

#include <algorithm>
#include <string>
#include <string_view>

namespace berth::scheduler {
namespace {

constexpr std::string_view kNoClaims =
    "spec.resourceClaims: DynamicResources does not support resource claims in this version";

// PreFilterDone in the cycle state marks that PreFilter ran.
struct PreFilterDone {};

bool HasClaims(const PendingPod& pod) { return !pod.pod().spec.resource_claims.empty(); }

}  // namespace

std::vector<api::FieldError> DynamicResourcesArgs::Validate() const {
  std::vector<api::FieldError> errors;
  if (filter_timeout < Duration()) {
    errors.push_back(api::FieldError::Invalid("filterTimeout", filter_timeout.ToString(),
                                              "must be zero or positive"));
  }
  if (binding_timeout < Duration(std::chrono::seconds(1))) {
    errors.push_back(api::FieldError::Invalid("bindingTimeout", binding_timeout.ToString(),
                                              "must be at least 1 second"));
  }
  return errors;
}

PluginDescriptor DynamicResources::Descriptor() {
  return Describe<DynamicResources>({
      .name = "DynamicResources",
      .summary = "Admits pods without resource claims; rejects pods with resource claims, which "
                 "this version does not support.",
      .depends_on = {Epoch::kNodeObject},
      .no_event_helps = true,
      .default_weight = 2,
      .example = R"(pluginConfig:
- name: DynamicResources
  args:
    filterTimeout: 5s)",
  });
}

ResultKey DynamicResources::KeyOf(const CycleContext& cycle) const {
  return ResultKey::Of(HasClaims(cycle.pod) ? "claims" : "");
}

PreFilterResult DynamicResources::PreFilter(CycleContext& cycle) const {
  cycle.state.Write(PreFilterDone());
  return PreFilterResult::Of(HasClaims(cycle.pod)
                                 ? Status::UnschedulableAndUnresolvable(std::string(kNoClaims))
                                 : Status::Skip());
}

// A profile may enable Filter without PreFilter.
Verdict DynamicResources::Filter(const CycleContext& cycle, const NodeView&) const {
  static const VerdictReason kReason = VerdictReason::Intern(kNoClaims);
  return HasClaims(cycle.pod) ? Verdict::UnschedulableAndUnresolvable(kReason) : Verdict::Fits();
}

// Fails, as upstream does, if an earlier PreFilter plugin ended the cycle.
PostFilterResult DynamicResources::PostFilter(PostFilterContext& context) const {
  if (context.cycle.state.Read<PreFilterDone>() == nullptr) {
    return {.status = Status::Failed("not found")};
  }
  return {.status = Status{Code::kUnschedulable, {}, {}}};
}

void DynamicResources::ScoreBatch(const CycleContext&, std::span<const Slot>,
                                  std::span<int64_t> out) const {
  std::ranges::fill(out, 0);
}

}  // namespace berth::scheduler
