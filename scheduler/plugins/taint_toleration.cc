// SPDX-License-Identifier: Apache-2.0
#include "scheduler/plugins/taint_toleration.h"

#include <algorithm>
#include <iterator>

#include "scheduler/plugins/pod_events.h"
#include "scheduler/plugins/tolerations.h"

namespace berth::scheduler {
namespace {

constexpr std::string_view kPreferNoSchedule = "PreferNoSchedule";

// SoftTolerations holds the tolerations that may cover a PreferNoSchedule taint.
struct SoftTolerations {
  std::vector<api::Toleration> list;
};

}  // namespace

PluginDescriptor TaintToleration::Descriptor() {
  return Describe<TaintToleration>({
      .name = "TaintToleration",
      .summary = "Rejects nodes with taints that the pod does not tolerate; PreferNoSchedule "
                 "taints lower a node's score.",
      .depends_on = {Epoch::kNodeObject},
      .events = {{Resource::kNode, action::kAdd | action::kUpdateNodeTaint,
                  "a node with only tolerated taints appeared, or taints were removed"},
                 {Resource::kTargetPod, action::kUpdatePodToleration,
                  "the pod tolerates more taints now"}},
      .default_weight = 3,
      .example = R"(# PreferNoSchedule taints outweigh all other scores together.
plugins:
  score:
    enabled: [{name: TaintToleration, weight: 20}])",
  });
}

ResultKey TaintToleration::HintKeyOf(const PendingPod& pod) const {
  return ResultKey::Of(TolerationsKey(pod.pod().spec.tolerations));
}

Verdict TaintToleration::Filter(const CycleContext& cycle, const NodeView& node) const {
  static const VerdictReason kReason = VerdictReason::Intern("node(s) had untolerated taint(s)");
  if (ToleratesAllBlocking(cycle.pod.pod().spec.tolerations, node.node().spec.taints)) {
    return Verdict::Fits();
  }
  return Verdict::UnschedulableAndUnresolvable(kReason);
}

Status TaintToleration::PreScore(CycleContext& cycle, const FeasibleNodes&) const {
  const auto& all = cycle.pod.pod().spec.tolerations;
  SoftTolerations soft;
  std::copy_if(all.begin(), all.end(), std::back_inserter(soft.list),
               [](const api::Toleration& toleration) {
                 return toleration.effect.empty() || toleration.effect == kPreferNoSchedule;
               });
  cycle.state.Write(std::move(soft));
  return Status::Success();
}

int64_t TaintToleration::Score(const CycleContext& cycle, const NodeView& node) const {
  const auto& taints = node.node().spec.taints;
  if (taints.empty()) return 0;
  // A profile may enable Score without PreScore. Then all tolerations are checked, which yields the
  // same score.
  const auto* soft = cycle.state.Read<SoftTolerations>();
  const auto& tolerations = soft != nullptr ? soft->list : cycle.pod.pod().spec.tolerations;
  return std::count_if(taints.begin(), taints.end(), [&tolerations](const api::Taint& taint) {
    return taint.effect == kPreferNoSchedule && !Tolerates(tolerations, taint);
  });
}

QueueingHint TaintToleration::Hint(const PendingPod& pod, const ClusterEvent& event,
                                   const EventObjects& objects) const {
  if (event.resource == Resource::kTargetPod) return QueueingHint::kQueue;
  const auto& tolerations = pod.pod().spec.tolerations;
  const bool fitted = objects.old_node != nullptr &&
                      ToleratesAllBlocking(tolerations, objects.old_node->spec.taints);
  return QueueIf(!fitted && ToleratesAllBlocking(tolerations, objects.new_node->spec.taints));
}

}  // namespace berth::scheduler
