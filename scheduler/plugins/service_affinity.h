// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "api/field_error.h"
#include "scheduler/framework/descriptor.h"

namespace berth::scheduler {

// ServiceAffinityArgs are the arguments of ServiceAffinity. Source: k8s.io/kube-scheduler at v0.20,
// config/v1beta1/types_pluginargs.go, ServiceAffinityArgs.
struct ServiceAffinityArgs {
  std::vector<std::string> affinity_labels;
  std::vector<std::string> anti_affinity_labels_preference;

  static auto Fields() {
    return json::Object(
        json::Field("affinityLabels", &ServiceAffinityArgs::affinity_labels)
            .Doc(
                "Labels of nodes in whose values the pods of a Service agree: a pod goes where the "
                "first of them is, unless its nodeSelector names the value."),
        json::Field("antiAffinityLabelsPreference",
                    &ServiceAffinityArgs::anti_affinity_labels_preference)
            .Doc("Labels of nodes over whose values the pods of a Service are spread, one as much "
                 "as "
                 "the other."));
  }

  std::vector<api::FieldError> Validate() const { return {}; }
};

// ServiceAffinity keeps the pods of a Service together by labels of nodes, and spreads them by others.
//
// Filter: a node must have the values that the pod's nodeSelector gives to affinityLabels. Those that
// it leaves open must be as on the node of the first pod that is like this one: of its namespace, with
// all of its labels, on the first node in visiting order that has such a pod. What that node lacks is
// not asked for. Without such a pod, or where no Service selects the pod, nothing more is.
//
// Score: a node's raw score is its pods, not terminating, that the Service of the pod selects; of
// several, the first by name counts (in kube-scheduler any). For each of
// antiAffinityLabelsPreference a node that has the label gets, in doubles,
//
//   100 * (pods on all nodes that fit - pods on those with its value) / pods on all nodes that fit
//
// or 100 where there are no pods, and one without the label 0. The average, truncated, is the score.
//
// It is what CheckServiceAffinity and ServiceAntiAffinityPriority of a Policy mean. A Service that
// comes or changes wakes no pod. Source: kube-scheduler at v1.20,
// pkg/scheduler/framework/plugins/serviceaffinity/service_affinity.go. Unlike there, a victim that
// preemption puts back keeps its place among the like pods, and a nominated pod never makes the
// attempt fail.
class ServiceAffinity final : public PreFilterPlugin, public FilterPlugin, public ScorePlugin {
 public:
  using Args = ServiceAffinityArgs;

  explicit ServiceAffinity(Args args) : args_(std::move(args)) {}
  static PluginDescriptor Descriptor();
  static ObjectKindSet Reads(const Args& args);

  ResultKey KeyOf(const CycleContext& cycle) const override;
  PreFilterResult PreFilter(CycleContext& cycle) const override;
  Verdict Filter(const CycleContext& cycle, const NodeView& node) const override;
  void FilterBatch(const CycleContext& cycle, std::span<const Slot> slots,
                   std::span<Verdict> out) const override;
  int64_t Score(const CycleContext& cycle, const NodeView& node) const override;
  void ScoreBatch(const CycleContext& cycle, std::span<const Slot> slots,
                  std::span<int64_t> out) const override;
  Normalizer normalizer() const override { return Normalizer::kCustom; }
  Status NormalizeScore(CycleContext& cycle, std::span<const Slot> slots,
                        std::span<int64_t> scores) const override;
  ResultKey HintKeyOf(const PendingPod& pod) const override;
  QueueingHint Hint(const PendingPod& pod, const ClusterEvent& event,
                    const EventObjects& objects) const override;

 private:
  Args args_;
};

}  // namespace berth::scheduler
