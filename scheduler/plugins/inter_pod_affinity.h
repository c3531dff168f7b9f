// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "api/field_error.h"
#include "scheduler/framework/descriptor.h"

namespace berth::scheduler {

// InterPodAffinityArgs are the arguments of InterPodAffinity. Source: k8s.io/kube-scheduler
// config/v1/types_pluginargs.go, InterPodAffinityArgs; kube-scheduler
// pkg/scheduler/apis/config/validation/validation_pluginargs.go.
struct InterPodAffinityArgs {
  int32_t hard_pod_affinity_weight = 1;
  bool ignore_preferred_terms_of_existing_pods = false;

  static auto Fields() {
    return json::Object(
        json::Field("hardPodAffinityWeight", &InterPodAffinityArgs::hard_pod_affinity_weight)
            .Min(0)
            .Max(100)
            .Default("1")
            .Doc("Weight of each required affinity term of an existing pod that matches the "
                 "incoming pod. It is added to the score of the nodes in the existing pod's "
                 "topology domain."),
        json::Field("ignorePreferredTermsOfExistingPods",
                    &InterPodAffinityArgs::ignore_preferred_terms_of_existing_pods)
            .Default("false")
            .Doc("Whether to ignore the preferred terms of existing pods when the incoming pod has "
                 "no preferred affinity or anti-affinity terms of its own."));
  }

  std::vector<api::FieldError> Validate() const;
};

// InterPodAffinity filters nodes by required affinity and anti-affinity. The topology domain of the
// node must have the pods that the pod's required affinity selects. It must have no pod that its
// required anti-affinity selects, and no pod whose required anti-affinity selects it. The preferred
// terms of both sides score nodes. Source: kube-scheduler
// pkg/scheduler/framework/plugins/interpodaffinity/{plugin,filtering,scoring}.go.
//
// The plugin counts no pods. PodIndex counts, by topology domain, the pods that a term selects and
// the terms that select the pod. For a simulated node the pods of its delta are added to these
// counts.
class InterPodAffinity final : public PreFilterPlugin,
                               public FilterPlugin,
                               public PreScorePlugin,
                               public ScorePlugin {
 public:
  using Args = InterPodAffinityArgs;

  // Requires: args.Validate() found nothing.
  explicit InterPodAffinity(const Args& args) : args_(args) {}
  static PluginDescriptor Descriptor();

  PreFilterResult PreFilter(CycleContext& cycle) const override;
  Verdict Filter(const CycleContext& cycle, const NodeView& node) const override;
  void FilterBatch(const CycleContext& cycle, std::span<const Slot> slots,
                   std::span<Verdict> out) const override;
  Status PreScore(CycleContext& cycle, const FeasibleNodes& feasible) const override;
  int64_t Score(const CycleContext& cycle, const NodeView& node) const override;
  void ScoreBatch(const CycleContext& cycle, std::span<const Slot> slots,
                  std::span<int64_t> out) const override;
  Normalizer normalizer() const override { return Normalizer::kMinMax; }

  ResultKey HintKeyOf(const PendingPod& pod) const override;
  // Requires all affinity terms, or all anti-affinity terms, to select the other pod, and ignores
  // namespace selectors, as kube-scheduler does.
  QueueingHint Hint(const PendingPod& pod, const ClusterEvent& event,
                    const EventObjects& objects) const override;

 private:
  const Args args_;
};

}  // namespace berth::scheduler
