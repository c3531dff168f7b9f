// SPDX-License-Identifier: Apache-2.0
#include "scheduler/plugins/legacy/service_affinity.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <string_view>

#include "scheduler/model/key_text.h"
#include "scheduler/plugins/legacy/wanted_node_labels.h"
#include "scheduler/plugins/pod_events.h"
#include "scheduler/plugins/prepared.h"

namespace berth::scheduler {
namespace {

void AddLabels(const api::StringMap& labels, KeyText& key) {
  key.AddCount(labels);
  for (const auto& [name, value] : labels) key.Add(name).Add(value);
}

Verdict VerdictOf(bool fits) {
  static const VerdictReason kReason =
      VerdictReason::Intern("node(s) didn't match service affinity");
  return fits ? Verdict::Fits() : Verdict::Unschedulable(kReason);
}

// Returns how many pods of the pod's Service each node has, by slot; empty if no Service selects
// the pod.
std::span<const uint32_t> ServicePods(const CycleContext& cycle) {
  auto selector = cycle.snapshot.FirstServiceSelector(cycle.pod);
  if (!selector) return {};
  return cycle.snapshot.Pods().BySlot(
      {.all_of = {{.namespaces = {cycle.pod.namespace_()}, .labels = *std::move(selector)}},
       .with_terminating = false});
}

// Adds to the score of each node with the label its share for this label, divided by `parts`: 100
// times the fraction of pods on nodes with other values.
void AddShares(const TopologyDomains& label, std::span<const Slot> slots,
               std::span<const int64_t> pods, size_t parts, std::span<double> scores) {
  const auto values = label.OfSlots();
  const int64_t all = std::accumulate(pods.begin(), pods.end(), int64_t{0});
  std::vector<int64_t> sums(label.bound());
  for (size_t i = 0; i < slots.size(); ++i) {
    if (values[slots[i]] != kNoDomain) sums[values[slots[i]]] += pods[i];
  }
  for (size_t i = 0; i < slots.size(); ++i) {
    if (values[slots[i]] == kNoDomain) continue;
    double share = kMaxNodeScore;
    if (all > 0) {
      share *= static_cast<double>(all - sums[values[slots[i]]]) / static_cast<double>(all);
    }
    scores[i] += share / static_cast<double>(parts);
  }
}

std::optional<std::string_view> LabelValue(const api::Node& node, const std::string& label) {
  const auto found = node.metadata.labels.find(label);
  if (found == node.metadata.labels.end()) return std::nullopt;
  return found->second;
}

// Reports whether the other pod is assigned to a node and matches the pending pod: same namespace,
// all of its labels.
bool IsLike(const PodInfo* other, const PendingPod& pod) {
  return other != nullptr && !other->node_name().empty() &&
         other->namespace_() == pod.namespace_() &&
         other->labels().Matches(api::Selector::FromMap(pod.pod().metadata.labels));
}

}  // namespace

PluginDescriptor ServiceAffinity::Descriptor() {
  return Describe<ServiceAffinity>({
      .name = "ServiceAffinity",
      .summary =
          "Keeps the pods of a Service on nodes with equal labels, or spreads them over label "
          "values; implements CheckServiceAffinity and ServiceAntiAffinityPriority of a Policy.",
      .depends_on = {Epoch::kNodeObject, Epoch::kNodePods},
      .events = {{Resource::kAssignedPod, action::kAdd | action::kUpdatePodLabel | action::kDelete,
                  "the first matching pod may be on another node now"},
                 {Resource::kTargetPod, action::kUpdatePodLabel, "the pod's own labels changed"},
                 {Resource::kNode, action::kAdd | action::kDelete | action::kUpdateNodeLabel,
                  "a node with the labels appeared, or the reference node is gone or its labels "
                  "changed"}},
      .reads = {ObjectKind::kService},
      .example = R"(# Keeps the pods of a Service in one region and spreads them over its racks.
plugins:
  multiPoint:
    enabled: [{name: ServiceAffinity, weight: 2}]
pluginConfig:
- name: ServiceAffinity
  args:
    affinityLabels: [topology.kubernetes.io/region]
    antiAffinityLabelsPreference: [rack])",
  });
}

ObjectKindSet ServiceAffinity::Reads(const Args& args) {
  const bool asks_nothing =
      args.affinity_labels.empty() && args.anti_affinity_labels_preference.empty();
  return asks_nothing ? ObjectKindSet() : Descriptor().reads;
}

// The required values include the effect of pods on other nodes. So a node's result depends only on
// these values and the node.
ResultKey ServiceAffinity::KeyOf(const CycleContext& cycle) const {
  KeyText key;
  const Prepared<WantedNodeLabels> wanted(
      cycle, [this](CycleContext& alone) { return PreFilter(alone).status; });
  AddLabels(wanted.get() != nullptr ? wanted.get()->values() : api::StringMap(), key);
  if (args_.anti_affinity_labels_preference.empty()) return ResultKey::Of(key.Take());
  const auto selector = cycle.snapshot.FirstServiceSelector(cycle.pod);
  if (selector) key.Add(cycle.pod.namespace_()).Add(*selector);
  return ResultKey::Of(key.Take());
}

PreFilterResult ServiceAffinity::PreFilter(CycleContext& cycle) const {
  if (args_.affinity_labels.empty()) return PreFilterResult::Of(Status::Skip());
  cycle.state.Write(WantedNodeLabels(cycle, args_.affinity_labels));
  return PreFilterResult::Of(Status::Success());
}

Verdict ServiceAffinity::Filter(const CycleContext& cycle, const NodeView& node) const {
  const Prepared<WantedNodeLabels> wanted(
      cycle, [this](CycleContext& alone) { return PreFilter(alone).status; });
  if (wanted.get() == nullptr) return wanted.VerdictWithout();
  return VerdictOf(node.simulated() ? wanted.get()->AreOnSimulated(cycle, node)
                                    : wanted.get()->AreOn(node.info()));
}

void ServiceAffinity::FilterBatch(const CycleContext& cycle, std::span<const Slot> slots,
                                  std::span<Verdict> out) const {
  const Prepared<WantedNodeLabels> wanted(
      cycle, [this](CycleContext& alone) { return PreFilter(alone).status; });
  for (size_t i = 0; i < slots.size(); ++i) {
    out[i] = wanted.get() != nullptr ? VerdictOf(wanted.get()->AreOn(cycle.snapshot.At(slots[i])))
                                     : wanted.VerdictWithout();
  }
}

int64_t ServiceAffinity::Score(const CycleContext& cycle, const NodeView& node) const {
  const Slot slot = node.slot();
  int64_t score = 0;
  ScoreBatch(cycle, {&slot, 1}, {&score, 1});
  return score;
}

void ServiceAffinity::ScoreBatch(const CycleContext& cycle, std::span<const Slot> slots,
                                 std::span<int64_t> out) const {
  // Without labels all nodes score 0 after normalization, and the key does not contain the Service.
  const bool spreads = !args_.anti_affinity_labels_preference.empty();
  const auto pods = spreads ? ServicePods(cycle) : std::span<const uint32_t>();
  std::ranges::transform(slots, out.begin(), [pods](Slot slot) {
    return pods.empty() ? kMinNodeScore : int64_t{pods[slot]};
  });
}

Status ServiceAffinity::NormalizeScore(CycleContext& cycle, std::span<const Slot> slots,
                                       std::span<int64_t> scores) const {
  const auto& labels = args_.anti_affinity_labels_preference;
  std::vector<double> shares(scores.size());
  for (const std::string& label : labels) {
    AddShares(cycle.snapshot.Pods().Domains(label), slots, scores, labels.size(), shares);
  }
  std::ranges::transform(shares, scores.begin(),
                         [](double share) { return static_cast<int64_t>(share); });
  return Status::Success();
}

ResultKey ServiceAffinity::HintKeyOf(const PendingPod& pod) const {
  KeyText key;
  key.Add(pod.namespace_());
  AddLabels(pod.pod().metadata.labels, key);
  return ResultKey::Of(key.Take());
}

QueueingHint ServiceAffinity::Hint(const PendingPod& pod, const ClusterEvent& event,
                                   const EventObjects& objects) const {
  if (event.resource == Resource::kNode) {
    if (objects.old_node == nullptr || objects.new_node == nullptr) return QueueingHint::kQueue;
    return QueueIf(std::ranges::any_of(args_.affinity_labels, [&](const std::string& name) {
      return LabelValue(*objects.old_node, name) != LabelValue(*objects.new_node, name);
    }));
  }
  if (event.resource == Resource::kTargetPod) return QueueingHint::kQueue;
  return QueueIf(IsLike(objects.old_pod.get(), pod) != IsLike(objects.new_pod.get(), pod));
}

}  // namespace berth::scheduler
