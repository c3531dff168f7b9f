// SPDX-License-Identifier: Apache-2.0
#include "scheduler/plugins/legacy/selector_spread.h"

#include <algorithm>
#include <array>
#include <optional>
#include <unordered_map>
#include <vector>

#include "scheduler/model/key_text.h"
#include "scheduler/model/node_zone.h"
#include "scheduler/plugins/prepared.h"

namespace berth::scheduler {
namespace {

constexpr double kZoneWeight = 2.0 / 3.0;

// Companions holds, by node, the number of pods that the pod's default selector selects.
struct SelectedPods {
  std::span<const uint32_t> by_slot;
};

// Returns the default selector, or nullopt if the plugin skips the pod.
std::optional<api::Selector> SelectorFor(const CycleContext& cycle) {
  if (!cycle.pod.pod().spec.topology_spread_constraints.empty()) return std::nullopt;
  api::Selector selector = cycle.snapshot.DefaultSelector(cycle.pod);
  if (selector.IsEmpty()) return std::nullopt;
  return selector;
}

Status FindCompanions(CycleContext& cycle) {
  auto selector = SelectorFor(cycle);
  if (!selector) return Status::Skip();
  const PodQuery query{
      .all_of = {{.namespaces = {cycle.pod.namespace_()}, .labels = *std::move(selector)}},
      .with_terminating = false};
  cycle.state.Write(SelectedPods{cycle.snapshot.Pods().BySlot(query)});
  return Status::Success();
}

// Returns the score for `pods` of at most `most` pods: 100 for no pods, 0 for `most`.
double Share(int64_t pods, int64_t most) {
  if (most == 0) return kMaxNodeScore;
  return kMaxNodeScore * (static_cast<double>(most - pods) / static_cast<double>(most));
}

// ZoneSums sums the raw scores of nodes by zone. Nodes without a zone are left out.
class ZoneSums {
 public:
  ZoneSums(const Snapshot& snapshot, std::span<const Slot> slots, std::span<const int64_t> scores)
      : zones_(slots.size(), kNone) {
    std::array<Symbol, kZoneLabels.size()> names;
    std::ranges::transform(kZoneLabels, names.begin(), [&snapshot](std::string_view name) {
      return snapshot.Words().Find(name);
    });
    std::unordered_map<uint64_t, uint32_t> numbers;
    for (size_t i = 0; i < slots.size(); ++i) {
      const LabelSet& labels = snapshot.At(slots[i]).labels;
      const auto zone = NodeZoneBy<Symbol>([&](ZoneLabel label) {
        const Symbol name = names[static_cast<size_t>(label)];
        return name == kNoSymbol ? std::nullopt : labels.Value(name);
      });
      if (zone.IsNone()) continue;
      const auto next = static_cast<uint32_t>(sums_.size());
      zones_[i] = numbers.emplace(uint64_t{zone.region} << 32 | zone.zone, next).first->second;
      if (zones_[i] == next) sums_.push_back(0);
      sums_[zones_[i]] += scores[i];
    }
    if (!sums_.empty()) most_ = std::ranges::max(sums_);
  }

  bool Has(size_t i) const { return zones_[i] != kNone; }
  double ShareOf(size_t i) const { return Share(sums_[zones_[i]], most_); }

 private:
  static constexpr uint32_t kNone = ~uint32_t{0};

  std::vector<uint32_t> zones_;  // by index in `slots`
  std::vector<int64_t> sums_;    // by zone
  int64_t most_ = 0;
};

}  // namespace

PluginDescriptor SelectorSpread::Descriptor() {
  return Describe<SelectorSpread>({
      .name = "SelectorSpread",
      .summary = "Spreads the pods of a Service or controller over nodes and zones; implements "
                 "SelectorSpreadPriority and ServiceSpreadingPriority of a Policy.",
      .depends_on = {Epoch::kNodePods},
      .reads = {ObjectKind::kService, ObjectKind::kReplicationController, ObjectKind::kReplicaSet,
                ObjectKind::kStatefulSet},
      .example = R"(# Spreads pods as before Kubernetes 1.20, instead of by the default constraints.
plugins:
  multiPoint:
    enabled: [{name: SelectorSpread}]
pluginConfig:
- name: PodTopologySpread
  args:
    defaultingType: List)",
  });
}

// A node's count depends only on the selector and its own pods (Epoch::kNodePods).
ResultKey SelectorSpread::KeyOf(const CycleContext& cycle) const {
  const auto selector = SelectorFor(cycle);
  if (!selector) return ResultKey::Of("");
  return ResultKey::Of(KeyText().Add(cycle.pod.namespace_()).Add(*selector).Take());
}

Status SelectorSpread::PreScore(CycleContext& cycle, const FeasibleNodes&) const {
  return FindCompanions(cycle);
}

int64_t SelectorSpread::Score(const CycleContext& cycle, const NodeView& node) const {
  const Prepared<SelectedPods> companions(cycle, FindCompanions);
  return companions.get() != nullptr ? companions.get()->by_slot[node.slot()] : kMinNodeScore;
}

void SelectorSpread::ScoreBatch(const CycleContext& cycle, std::span<const Slot> slots,
                                std::span<int64_t> out) const {
  const Prepared<SelectedPods> companions(cycle, FindCompanions);
  for (size_t i = 0; i < slots.size(); ++i) {
    out[i] = companions.get() != nullptr ? companions.get()->by_slot[slots[i]] : kMinNodeScore;
  }
}

Status SelectorSpread::NormalizeScore(CycleContext& cycle, std::span<const Slot> slots,
                                      std::span<int64_t> scores) const {
  if (scores.empty()) return Status::Success();
  const int64_t most = std::ranges::max(scores);
  const ZoneSums zones(cycle.snapshot, slots, scores);
  for (size_t i = 0; i < scores.size(); ++i) {
    double share = Share(scores[i], most);
    if (zones.Has(i)) share = share * (1.0 - kZoneWeight) + kZoneWeight * zones.ShareOf(i);
    scores[i] = static_cast<int64_t>(share);
  }
  return Status::Success();
}

}  // namespace berth::scheduler
