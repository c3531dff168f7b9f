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
            .Doc("Node labels that must have the same value for all pods of a Service: the node of "
                 "the first pod decides, unless the pod's nodeSelector names the value."),
        json::Field("antiAffinityLabelsPreference",
                    &ServiceAffinityArgs::anti_affinity_labels_preference)
            .Doc("Node labels over whose values the pods of a Service are spread, with equal "
                 "weight."));
  }

  std::vector<api::FieldError> Validate() const { return {}; }
};

// ServiceAffinity keeps the pods of a Service together by some node labels, and spreads them over
// the values of others.
//
// Filter: a node must have the values that the pod's nodeSelector names for affinityLabels. For the
// other affinityLabels it must have the values of the reference node: the first node in visiting
// order with a matching pod, which is a pod of the same namespace with all labels of this pod.
// Labels that the reference node lacks are not required. If there is no such node, or no Service
// selects the pod, only the nodeSelector counts.
//
// Score: a node's raw score is the number of its pods, not terminating, that the pod's Service
// selects. If several Services select the pod, the first by name counts (in kube-scheduler any).
// For each of antiAffinityLabelsPreference, a node with the label gets, in doubles,
//
//   100 * (pods on all feasible nodes - pods on those with its value) / pods on all feasible nodes
//
// or 100 if there are no pods, and a node without the label gets 0. The score is the average,
// truncated.
//
// It implements CheckServiceAffinity and ServiceAntiAffinityPriority of a Policy. A new or changed
// Service requeues no pod. Source: kube-scheduler at v1.20,
// pkg/scheduler/framework/plugins/serviceaffinity/service_affinity.go. Unlike there, a victim that
// preemption reprieves keeps its place among the matching pods, and a nominated pod never makes the
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
