// SPDX-License-Identifier: Apache-2.0
#include "scheduler/plugins/node_resources_fit.h"

#include <algorithm>
#include <array>

#include "base/names.h"
#include "scheduler/model/key_text.h"
#include "scheduler/plugins/pod_events.h"

namespace berth::scheduler {
namespace {

using api::Child;
using api::FieldError;
using api::Index;

constexpr std::string_view kRatio = "RequestedToCapacityRatio";
constexpr std::array<std::string_view, 3> kTypes = {"LeastAllocated", "MostAllocated", kRatio};

void CheckName(const std::string& name, const std::string& path, std::vector<FieldError>& out) {
  for (std::string& error : CheckQualifiedName(name)) {
    out.push_back(FieldError::Invalid(path, name, std::move(error)));
  }
}

void CheckStrategy(const ScoringStrategy& strategy, std::vector<FieldError>& out) {
  const std::string path = "scoringStrategy";
  if (std::find(kTypes.begin(), kTypes.end(), strategy.type) == kTypes.end()) {
    out.push_back(FieldError::NotSupported(Child(path, "type"), strategy.type, kTypes));
  }
  for (size_t i = 0; i < strategy.resources.size(); ++i) {
    const WeightedResource& resource = strategy.resources[i];
    if (resource.weight >= 0 && resource.weight <= 100) continue;  // 0 means 1
    out.push_back(FieldError::Invalid(
        Child(Index(Child(path, "resources"), i), "weight"), resource.weight,
        "resource weight of " + resource.name + " not in valid range (0, 100]"));
  }
  const std::string ratio_path = Child(path, "requestedToCapacityRatio");
  const auto& ratio = strategy.requested_to_capacity_ratio;
  if (ratio) CheckShape(ratio->shape, Child(ratio_path, "shape"), out);
  if (!ratio && strategy.type == kRatio) {
    out.push_back(FieldError::Required(ratio_path,
                                       "must be specified when type is RequestedToCapacityRatio"));
  }
  if (ratio && strategy.type != kRatio) {
    out.push_back(
        FieldError::Forbidden(ratio_path, "must be nil when type is not RequestedToCapacityRatio"));
  }
}

// Returns the ignored resources of the arguments, or, if extenders ignore any, those of the
// extenders instead. Source: kube-scheduler pkg/scheduler/scheduler.go, buildExtenders.
std::set<std::string, std::less<>> IgnoredResources(const NodeResourcesFitArgs& args,
                                                    const PluginHandle& handle) {
  const std::span<const std::string> theirs = handle.ignored_resources;
  if (!theirs.empty()) return {theirs.begin(), theirs.end()};
  return {args.ignored_resources.begin(), args.ignored_resources.end()};
}

// FitDemands holds the pod's requests for the scored resources.
struct FitDemands {
  std::vector<ScoredResources::Demand> list;
};

// Reports whether `after` has more than `before` of a resource that the pod requests.
bool AnyGrew(const Resources& requests, const Resources& before, const Resources& after) {
  return (requests.milli_cpu > 0 && after.milli_cpu > before.milli_cpu) ||
         (requests.memory > 0 && after.memory > before.memory) ||
         (requests.ephemeral_storage > 0 && after.ephemeral_storage > before.ephemeral_storage) ||
         std::any_of(requests.scalars.begin(), requests.scalars.end(), [&](const auto& scalar) {
           return scalar.second != 0 && after.Scalar(scalar.first) > before.Scalar(scalar.first);
         });
}

int64_t AllowedPods(const api::Node& node) {
  const auto pods = node.status.allocatable.find("pods");
  return pods == node.status.allocatable.end() ? 0 : pods->second.Value();
}

}  // namespace

// Arguments.

std::vector<FieldError> NodeResourcesFitArgs::Validate() const {
  std::vector<FieldError> errors;
  for (size_t i = 0; i < ignored_resources.size(); ++i) {
    CheckName(ignored_resources[i], Index("ignoredResources", i), errors);
  }
  for (size_t i = 0; i < ignored_resource_groups.size(); ++i) {
    const std::string& group = ignored_resource_groups[i];
    const std::string path = Index("ignoredResourceGroups", i);
    if (group.find('/') != std::string::npos) {
      errors.push_back(FieldError::Invalid(path, group, "resource group name can't contain '/'"));
    }
    CheckName(group, path, errors);
  }
  if (scoring_strategy) CheckStrategy(*scoring_strategy, errors);
  return errors;
}

ScoringStrategy NodeResourcesFitArgs::EffectiveStrategy() const {
  ScoringStrategy strategy = scoring_strategy.value_or(ScoringStrategy{.type = "LeastAllocated"});
  strategy.resources = WithDefaults(std::move(strategy.resources));
  return strategy;
}

PluginDescriptor NodeResourcesFit::Descriptor() {
  return Describe<NodeResourcesFit>({
      .name = "NodeResourcesFit",
      .summary = "Filters nodes by the free resources that the pod requests; scores them by their "
                 "utilization.",
      .depends_on = {Epoch::kNodeObject, Epoch::kNodePods},
      .events = {{Resource::kAssignedPod, action::kDelete | action::kUpdatePodScaleDown,
                  "a pod is gone or requests less, which frees resources"},
                 {Resource::kTargetPod, action::kUpdatePodScaleDown, "the pod requests less"},
                 {Resource::kNode, action::kAdd | action::kUpdateNodeAllocatable,
                  "a node appeared, or has more of a resource that the pod requests"}},
      .default_weight = 1,
      .example = R"(# Packs pods onto few nodes, by cpu more than by memory.
plugins:
  score:
    enabled: [{name: NodeResourcesFit, weight: 5}]
pluginConfig:
- name: NodeResourcesFit
  args:
    scoringStrategy:
      type: MostAllocated
      resources: [{name: cpu, weight: 3}, {name: memory, weight: 1}])",
  });
}

NodeResourcesFit::NodeResourcesFit(const Args& args, const PluginHandle& handle)
    : ignored_resources_(IgnoredResources(args, handle)),
      ignored_groups_(args.ignored_resource_groups.begin(), args.ignored_resource_groups.end()),
      scored_(args.EffectiveStrategy().resources, ScoredResources::Usage::kNonZero, handle.words),
      scoring_(args.EffectiveStrategy()),
      words_(handle.words) {}

ResultKey NodeResourcesFit::HintKeyOf(const PendingPod& pod) const {
  const Resources& requests = pod.requests();
  KeyText text(3 * KeyText::kNumber + scored_.result_cache_bytes());
  text.Add(requests.milli_cpu).Add(requests.memory).Add(requests.ephemeral_storage);
  scored_.AddTo(text, ScoringRequests(pod, words_));
  for (const auto& [name, amount] : requests.scalars) text.Add(words_.Text(name)).Add(amount);
  return ResultKey::Of(text.Take());
}

bool NodeResourcesFit::IsIgnored(std::string_view resource) const {
  return ignored_resources_.contains(resource) ||
         ignored_groups_.contains(resource.substr(0, resource.find('/')));
}

FitRequest NodeResourcesFit::RequestOf(const CycleContext& cycle) const {
  return FitRequest::Of(cycle, words_,
                        [this](std::string_view resource) { return IsIgnored(resource); });
}

PreFilterResult NodeResourcesFit::PreFilter(CycleContext& cycle) const {
  cycle.state.Write(RequestOf(cycle));
  return PreFilterResult::Of(Status::Success());
}

Verdict NodeResourcesFit::Filter(const CycleContext& cycle, const NodeView& node) const {
  // A profile may enable Filter without PreFilter.
  const auto* request = cycle.state.Read<FitRequest>();
  std::vector<VerdictReason> scratch;
  return request != nullptr ? request->Check(node, cycle.state, scratch)
                            : RequestOf(cycle).Check(node, cycle.state, scratch);
}

void NodeResourcesFit::FilterBatch(const CycleContext& cycle, std::span<const Slot> slots,
                                   std::span<Verdict> out) const {
  const auto* written = cycle.state.Read<FitRequest>();
  const FitRequest request = written != nullptr ? *written : RequestOf(cycle);
  const FitColumns columns(request, cycle.snapshot.Columns());
  std::vector<VerdictReason> scratch;
  for (size_t i = 0; i < slots.size(); ++i) {
    // Reasons are computed only for nodes that lack a resource.
    out[i] = columns.Fits(slots[i])
                 ? Verdict::Fits()
                 : request.Check(cycle.snapshot.View(slots[i]), cycle.state, scratch);
  }
}

// Scores.

Status NodeResourcesFit::PreScore(CycleContext& cycle, const FeasibleNodes&) const {
  cycle.state.Write(FitDemands{scored_.DemandsOf(ScoringRequests(cycle.pod, words_))});
  return Status::Success();
}

int64_t NodeResourcesFit::Score(const CycleContext& cycle, const NodeView& node) const {
  // A profile may enable Score without PreScore.
  const auto* written = cycle.state.Read<FitDemands>();
  const auto demands =
      written != nullptr ? written->list : scored_.DemandsOf(ScoringRequests(cycle.pod, words_));
  ResourceScoring::Tally tally(scoring_);
  for (const ScoredResources::Demand& demand : demands) {
    const auto [allocatable, requested] = scored_.AmountsOf(node, demand);
    tally.Add({SaturatingAdd(requested, demand.amount), allocatable, demand.weight});
  }
  return tally.Score();
}

void NodeResourcesFit::ScoreBatch(const CycleContext& cycle, std::span<const Slot> slots,
                                  std::span<int64_t> out) const {
  const auto* written = cycle.state.Read<FitDemands>();
  const auto demands =
      written != nullptr ? written->list : scored_.DemandsOf(ScoringRequests(cycle.pod, words_));
  const auto columns = scored_.ColumnsOf(cycle.snapshot.Columns(), demands);
  for (size_t i = 0; i < slots.size(); ++i) {
    ResourceScoring::Tally tally(scoring_);
    for (const ScoredResources::Column& column : columns) {
      const auto [allocatable, requested] = column.amounts[slots[i]];
      tally.Add({SaturatingAdd(requested, column.amount), allocatable, column.weight});
    }
    out[i] = tally.Score();
  }
}

// Hints.

QueueingHint NodeResourcesFit::Hint(const PendingPod& pod, const ClusterEvent& event,
                                    const EventObjects& objects) const {
  return event.resource == Resource::kNode ? NodeHint(pod, objects) : PodHint(pod, event, objects);
}

QueueingHint NodeResourcesFit::PodHint(const PendingPod& pod, const ClusterEvent& event,
                                       const EventObjects& objects) const {
  if (event.resource == Resource::kTargetPod) return QueueingHint::kQueue;
  if (event.action == action::kDelete) return QueueIf(HoldsPlace(*objects.old_pod));
  return QueueIf(
      AnyGrew(pod.requests(), objects.new_pod->accounted(), objects.old_pod->accounted()));
}

QueueingHint NodeResourcesFit::NodeHint(const PendingPod& pod, const EventObjects& objects) const {
  const Resources now = ToResources(objects.new_node->status.allocatable, words_);
  const int64_t pods_now = AllowedPods(*objects.new_node);
  if (!FitsEmptyNode(pod.requests(), now, pods_now)) return QueueingHint::kSkip;
  if (objects.old_node == nullptr || pods_now > AllowedPods(*objects.old_node)) {
    return QueueingHint::kQueue;
  }
  return QueueIf(
      AnyGrew(pod.requests(), ToResources(objects.old_node->status.allocatable, words_), now));
}

}  // namespace berth::scheduler
