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
            .Doc("Constraints for pods without constraints of their own, if defaultingType is "
                 "List. They must have no labelSelector: it is deduced from the pod's Services and "
                 "its owner."),
        json::Field("defaultingType", &PodTopologySpreadArgs::defaulting_type)
            .OneOf("System|List")
            .Default("\"System\"")
            .Doc("Source of the default constraints. System prefers an even spread over hosts and "
                 "zones, without requiring it. List uses defaultConstraints."));
  }

  std::vector<api::FieldError> Validate() const;

  // Reports whether defaultingType is System, or empty, which means System.
  bool UsesSystemDefaults() const { return defaulting_type.empty() || defaulting_type == "System"; }
  // Returns the default constraints for either defaultingType.
  std::vector<api::TopologySpreadConstraint> EffectiveConstraints() const;
};

// PodTopologySpread spreads pods over topology domains. A DoNotSchedule constraint limits how many
// pods that it selects a domain may have: the minimum of all domains plus maxSkew. A ScheduleAnyway
// constraint prefers nodes in domains with few such pods. The default constraints of the arguments
// apply to pods without constraints. Source: kube-scheduler
// pkg/scheduler/framework/plugins/podtopologyspread/{plugin,common,filtering,scoring}.go.
//
// The plugin counts no pods. PodIndex counts the pods that a constraint selects, by node and by
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
  // Returns the kinds for default selectors (Services and owners), or none if there are no default
  // constraints.
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
  // Assumes that a default constraint selects every pod of the namespace: a hint cannot read
  // Services and owners.
  QueueingHint Hint(const PendingPod& pod, const ClusterEvent& event,
                    const EventObjects& objects) const override;

 private:
  Result<std::vector<SpreadConstraint>> ConstraintsFor(const CycleContext& cycle,
                                                       std::string_view action) const;
  // Returns the DoNotSchedule constraints that a hint can know: default ones without their
  // selectors.
  Result<std::vector<SpreadConstraint>> HintConstraintsOf(const PendingPod& pod) const;
  Status PreScoreAllNodes(CycleContext& cycle) const;

  const std::vector<api::TopologySpreadConstraint> default_constraints_;
  const bool system_defaulted_;
};

}  // namespace berth::scheduler
