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
            .Doc("What a pod already placed adds to the score of nodes near it with each of its "
                 "required affinity terms that means the pod."),
        json::Field("ignorePreferredTermsOfExistingPods",
                    &InterPodAffinityArgs::ignore_preferred_terms_of_existing_pods)
            .Default("false")
            .Doc("A pod without preferred affinity or anti-affinity of its own is not scored by "
                 "what placed pods prefer."));
  }

  std::vector<api::FieldError> Validate() const;
};

// InterPodAffinity admits a pod to nodes in whose topology domains the pods are that its required
// affinity asks for, and none that its required anti-affinity keeps away from or whose own keeps
// away from it. It prefers nodes by the preferred terms of both sides. Source: kube-scheduler
// pkg/scheduler/framework/plugins/interpodaffinity/{plugin,filtering,scoring}.go.
//
// It counts nothing itself: PodIndex has the pods that a term means, and the terms that mean the
// pod, by topology domain. A node that is imagined differs from those counts by the pods of its
// delta.
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
  // Hint asks whether all terms of a kind mean the other pod, of anti-affinity too, and knows no
  // labels of namespaces, as kube-scheduler.
  QueueingHint Hint(const PendingPod& pod, const ClusterEvent& event,
                    const EventObjects& objects) const override;

 private:
  const Args args_;
};

}  // namespace berth::scheduler
