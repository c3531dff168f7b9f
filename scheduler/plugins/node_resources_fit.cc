// SPDX-License-Identifier: Apache-2.0
#include "scheduler/plugins/node_resources_fit.h"

#include "scheduler/plugins/reuse_text.h"

namespace berth::scheduler {

PluginDescriptor NodeResourcesFit::Descriptor() {
  return Describe<NodeResourcesFit>({
      .name = "NodeResourcesFit",
      .summary = "Admits a pod where the resources it requests are free; scores how full nodes "
                 "would be.",
      .depends_on = {Epoch::kNodeObject, Epoch::kNodePods},
      .events = {{Resource::kPod, action::kDelete | action::kUpdatePodScaleDown,
                  "a pod that is gone or asks for less leaves room"},
                 {Resource::kNode, action::kAdd | action::kUpdateNodeAllocatable,
                  "a node appeared or has more of what the pod requests"}},
      .default_weight = 1,
      .example = "scoringStrategy: {type: MostAllocated, resources: [{name: cpu, weight: 1}]}",
  });
}

NodeResourcesFit::NodeResourcesFit(const Args& args, const PluginHandle& handle)
    : ignored_resources_(args.ignored_resources.begin(), args.ignored_resources.end()),
      ignored_groups_(args.ignored_resource_groups.begin(), args.ignored_resource_groups.end()),
      scored_(args.EffectiveStrategy().resources, ScoredResources::Usage::kNonZero, handle.words),
      scoring_(args.EffectiveStrategy()),
      words_(handle.words) {}

ReuseKey NodeResourcesFit::KeyOf(const PodInfo& pod) const {
  const Resources& requests = pod.requests();
  ReuseText text(3 * ReuseText::kNumber + scored_.reuse_bytes());
  text.Add(requests.milli_cpu).Add(requests.memory).Add(requests.ephemeral_storage);
  scored_.AddTo(text, ScoringRequests(pod, words_));
  for (const auto& [name, amount] : requests.scalars) text.Add(words_.Text(name)).Add(amount);
  return ReuseKey::Of(text.Take());
}

bool NodeResourcesFit::IsIgnored(std::string_view resource) const {
  return ignored_resources_.contains(resource) ||
         ignored_groups_.contains(resource.substr(0, resource.find('/')));
}

FitRequest NodeResourcesFit::RequestOf(const PodInfo& pod) const {
  return FitRequest::Of(pod, words_,
                        [this](std::string_view resource) { return IsIgnored(resource); });
}

PreFilterResult NodeResourcesFit::PreFilter(CycleContext& cycle) const {
  cycle.state.Write(RequestOf(cycle.pod));
  return PreFilterResult::Of(Status::Success());
}

Verdict NodeResourcesFit::Filter(const CycleContext& cycle, const NodeView& node) const {
  std::vector<VerdictReason> scratch;
  // A profile may run Filter without PreFilter.
  const auto* request = cycle.state.Read<FitRequest>();
  return request != nullptr ? request->Check(node, scratch)
                            : RequestOf(cycle.pod).Check(node, scratch);
}

void NodeResourcesFit::FilterBatch(const CycleContext& cycle, std::span<const Slot> slots,
                                   std::span<Verdict> out) const {
  const auto* written = cycle.state.Read<FitRequest>();
  const FitRequest request = written != nullptr ? *written : RequestOf(cycle.pod);
  const FitColumns columns(request, cycle.snapshot.Columns());
  std::vector<VerdictReason> scratch;
  for (size_t i = 0; i < slots.size(); ++i) {
    // Only nodes that lack something are asked for reasons.
    out[i] = columns.Fits(slots[i]) ? Verdict::Fits()
                                    : request.Check(cycle.snapshot.View(slots[i]), scratch);
  }
}

}  // namespace berth::scheduler
