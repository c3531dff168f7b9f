// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "api/affinity.h"
#include "api/field_error.h"
#include "scheduler/framework/descriptor.h"
#include "scheduler/plugins/spread_constraint.h"

namespace berth::scheduler {

// PodTopologySpreadArgs are the arguments of PodTopologySpread. Source: k8s.io/kube-scheduler
// config/v1/types_pluginargs.go, PodTopologySpreadArgs; kube-scheduler
// pkg/scheduler/apis/config/validation/validation_pluginargs.go.
struct PodTopologySpreadArgs {
  std::vector<api::TopologySpreadConstraint> default_constraints;
  std::string defaulting_type = "System";

  static auto Fields() {
    return json::Object(
        json::Field("defaultConstraints", &PodTopologySpreadArgs::default_constraints)
            .Doc("Constraints of pods that have none of their own, with defaultingType List. They "
                 "have no labelSelector: it is deduced from the pod's Services and its owner."),
        json::Field("defaultingType", &PodTopologySpreadArgs::defaulting_type)
            .OneOf("System|List")
            .Default("\"System\"")
            .Doc("Where default constraints come from: System spreads over hosts and zones, "
                 "without insisting; List takes defaultConstraints."));
  }

  std::vector<api::FieldError> Validate() const;

  // UsesSystemDefaults: an empty defaultingType is System, too.
  bool UsesSystemDefaults() const { return defaulting_type.empty() || defaulting_type == "System"; }
  // EffectiveConstraints is the default constraints by either type.
  std::vector<api::TopologySpreadConstraint> EffectiveConstraints() const;
};

// PodTopologySpread spreads pods over topology domains: no domain may have more of those that a
// DoNotSchedule constraint selects than the fewest there are in any, and maxSkew; nodes of domains
// with few that a ScheduleAnyway constraint selects are preferred. A pod without constraints has
// those of the arguments. Source: kube-scheduler
// pkg/scheduler/framework/plugins/podtopologyspread/{plugin,common,filtering,scoring}.go.
//
// It counts nothing itself: PodIndex has the pods that a constraint selects, by node and by
// topology domain.
class PodTopologySpread final : public PreFilterPlugin,
                                public FilterPlugin,
                                public PreScorePlugin,
                                public ScorePlugin {
 public:
  using Args = PodTopologySpreadArgs;

  // Requires: args.Validate() found nothing.
  explicit PodTopologySpread(const Args& args);
  static PluginDescriptor Descriptor();
  // Services and owners are read where there are default constraints.
  static ObjectKindSet Reads(const Args& args);

  PreFilterResult PreFilter(CycleContext& cycle) const override;
  Verdict Filter(const CycleContext& cycle, const NodeView& node) const override;
  void FilterBatch(const CycleContext& cycle, std::span<const Slot> slots,
                   std::span<Verdict> out) const override;
  Status PreScore(CycleContext& cycle, const FeasibleNodes& feasible) const override;
  int64_t Score(const CycleContext& cycle, const NodeView& node) const override;
  void ScoreBatch(const CycleContext& cycle, std::span<const Slot> slots,
                  std::span<int64_t> out) const override;
  Normalizer normalizer() const override { return Normalizer::kCustom; }
  Status NormalizeScore(CycleContext& cycle, std::span<const Slot> slots,
                        std::span<int64_t> scores) const override;

  ResultKey HintKeyOf(const PendingPod& pod) const override;
  // Hint takes any pod of the namespace for one that a default constraint selects: it cannot see
  // Services and owners.
  QueueingHint Hint(const PendingPod& pod, const ClusterEvent& event,
                    const EventObjects& objects) const override;

 private:
  Result<std::vector<SpreadConstraint>> ConstraintsFor(const CycleContext& cycle,
                                                       std::string_view action) const;
  // HintConstraintsOf is the DoNotSchedule constraints as far as a hint knows them.
  Result<std::vector<SpreadConstraint>> HintConstraintsOf(const PendingPod& pod) const;
  Status PreScoreAlone(CycleContext& cycle) const;

  const std::vector<api::TopologySpreadConstraint> default_constraints_;
  const bool system_defaulted_;
};

}  // namespace berth::scheduler
