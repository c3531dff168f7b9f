// SPDX-License-Identifier: Apache-2.0
#include "scheduler/plugins/pod_topology_spread.h"

#include <algorithm>
#include <array>
#include <set>
#include <span>
#include <string_view>
#include <utility>

#include "base/names.h"
#include "scheduler/model/key_text.h"
#include "scheduler/plugins/hard_spread.h"
#include "scheduler/plugins/pod_events.h"
#include "scheduler/plugins/prepared.h"
#include "scheduler/plugins/soft_spread.h"

namespace berth::scheduler {
namespace {

using api::Child;
using api::FieldError;
using api::Index;
using SpreadConstraints = std::vector<SpreadConstraint>;

constexpr std::string_view kHostnameLabel = "kubernetes.io/hostname";
constexpr std::string_view kZoneLabel = "topology.kubernetes.io/zone";

// ---- Arguments

void CheckTopologyKey(const std::string& key, const std::string& path,
                      std::vector<FieldError>& out) {
  if (key.empty()) {
    out.push_back(FieldError::Required(path, "can not be empty"));
    return;
  }
  for (std::string& error : CheckQualifiedName(key)) {
    out.push_back(FieldError::Invalid(path, key, std::move(error)));
  }
}

void CheckAction(const std::string& action, const std::string& path, std::vector<FieldError>& out) {
  constexpr std::array kActions = {kDoNotSchedule, kScheduleAnyway};
  if (action.empty()) {
    out.push_back(FieldError::Required(path, "can not be empty"));
  } else if (std::ranges::find(kActions, action) == kActions.end()) {
    out.push_back(FieldError::NotSupported(path, action, kActions));
  }
}

void CheckConstraint(const std::vector<api::TopologySpreadConstraint>& list, size_t i,
                     std::vector<FieldError>& out) {
  const api::TopologySpreadConstraint& entry = list[i];
  const std::string path = Index("defaultConstraints", i);
  if (entry.max_skew <= 0) {
    out.push_back(
        FieldError::Invalid(Child(path, "maxSkew"), entry.max_skew, "not in valid range (0, inf)"));
  }
  CheckTopologyKey(entry.topology_key, Child(path, "topologyKey"), out);
  CheckAction(entry.when_unsatisfiable, Child(path, "whenUnsatisfiable"), out);
  if (entry.label_selector) {
    out.push_back(FieldError::Forbidden(
        Child(path, "labelSelector"),
        "constraint must not define a selector, as they deduced for each pod"));
  }
  const bool repeats = std::any_of(list.begin(), list.begin() + static_cast<ptrdiff_t>(i),
                                   [&entry](const api::TopologySpreadConstraint& other) {
                                     return other.topology_key == entry.topology_key &&
                                            other.when_unsatisfiable == entry.when_unsatisfiable;
                                   });
  if (repeats) {
    out.push_back(FieldError::Duplicate(
        path, "{" + entry.topology_key + ", " + entry.when_unsatisfiable + "}"));
  }
}

// Source: kube-scheduler pkg/scheduler/framework/plugins/podtopologyspread/plugin.go,
// systemDefaultConstraints.
std::vector<api::TopologySpreadConstraint> SystemConstraints() {
  const auto prefer = [](std::string_view key, int32_t max_skew) {
    api::TopologySpreadConstraint constraint;
    constraint.topology_key = key;
    constraint.max_skew = max_skew;
    constraint.when_unsatisfiable = kScheduleAnyway;
    return constraint;
  };
  return {prefer(kHostnameLabel, 3), prefer(kZoneLabel, 5)};
}

// ---- Hints

// Spreading holds the DoNotSchedule constraints that a hint knows for the pending pod.
struct Spreading {
  SpreadConstraints constraints;
  // Whether these are default constraints. They select pods by Services and owners, which a hint
  // cannot read, so every pod may be selected.
  bool by_default = false;

  bool Selects(const PodInfo& pod) const {
    return std::ranges::any_of(constraints, [&](const SpreadConstraint& constraint) {
      return by_default || pod.labels().Matches(constraint.selector);
    });
  }
  bool Distinguishes(const PodInfo& a, const PodInfo& b) const {
    return std::ranges::any_of(constraints, [&](const SpreadConstraint& constraint) {
      return by_default ||
             a.labels().Matches(constraint.selector) != b.labels().Matches(constraint.selector);
    });
  }
  bool HonoursTaints() const {
    return std::ranges::any_of(constraints, &SpreadConstraint::honours_taints);
  }
};

// Source: kube-scheduler pkg/scheduler/framework/plugins/podtopologyspread/plugin.go,
// involvedInTopologySpreading.
bool IsInvolved(const PodInfo* other, const PodInfo& pod) {
  return other == nullptr || (HoldsPlace(*other) && other->namespace_() == pod.namespace_());
}

QueueingHint AfterLabelChange(const Spreading& spreading, const PodInfo& before,
                              const PodInfo& after) {
  return QueueIf(before.labels() != after.labels() && spreading.Distinguishes(before, after));
}

QueueingHint AfterPodChange(const Spreading& spreading, const EventObjects& objects) {
  const PodInfo* before = objects.old_pod.get();
  const PodInfo* after = objects.new_pod.get();
  if (before != nullptr && after != nullptr) return AfterLabelChange(spreading, *before, *after);
  return QueueIf(spreading.Selects(after != nullptr ? *after : *before));
}

QueueingHint AfterOwnChange(const Spreading& spreading, const EventObjects& objects) {
  const PendingPod& before = *objects.old_pod->pending();
  const PendingPod& after = *objects.new_pod->pending();
  const bool tolerates_more = before.pod().spec.tolerations != after.pod().spec.tolerations;
  if (tolerates_more && spreading.HonoursTaints()) return QueueingHint::kQueue;
  return AfterLabelChange(spreading, before, after);
}

bool HasAll(const api::Node& node, const std::set<std::string>& keys) {
  return std::ranges::all_of(
      keys, [&node](const std::string& key) { return node.metadata.labels.contains(key); });
}

QueueingHint AfterNodeChange(const Spreading& spreading, const EventObjects& objects) {
  const std::set<std::string> keys = TopologyKeysOf(spreading.constraints);
  const api::Node* before = objects.old_node.get();
  const api::Node* after = objects.new_node.get();
  if (before == nullptr || after == nullptr) {
    return QueueIf(HasAll(after != nullptr ? *after : *before, keys));
  }
  const bool counts_now = HasAll(*after, keys);
  if (HasAll(*before, keys) != counts_now) return QueueingHint::kQueue;
  if (!counts_now) return QueueingHint::kSkip;
  const bool moved = std::ranges::any_of(keys, [&](const std::string& key) {
    return before->metadata.labels.at(key) != after->metadata.labels.at(key);
  });
  return QueueIf(moved || before->spec.taints != after->spec.taints);
}

}  // namespace

// ---- The plugin

std::vector<FieldError> PodTopologySpreadArgs::Validate() const {
  constexpr std::array<std::string_view, 2> kTypes = {"System", "List"};
  std::vector<FieldError> errors;
  if (!UsesSystemDefaults() && defaulting_type != "List") {
    errors.push_back(FieldError::NotSupported("defaultingType", defaulting_type, kTypes));
  } else if (UsesSystemDefaults() && !default_constraints.empty()) {
    errors.push_back(
        FieldError::Invalid("defaultingType", "System", "when .defaultConstraints are not empty"));
  }
  for (size_t i = 0; i < default_constraints.size(); ++i) {
    CheckConstraint(default_constraints, i, errors);
  }
  return errors;
}

std::vector<api::TopologySpreadConstraint> PodTopologySpreadArgs::EffectiveConstraints() const {
  return UsesSystemDefaults() ? SystemConstraints() : default_constraints;
}

PluginDescriptor PodTopologySpread::Descriptor() {
  return Describe<PodTopologySpread>({
      .name = "PodTopologySpread",
      .summary = "Spreads pods over topology domains such as hosts and zones, by their own "
                 "constraints or by default constraints.",
      .depends_on = {Epoch::kNodeObject, Epoch::kNodePods},
      .events = {{Resource::kAssignedPod, action::kAdd | action::kUpdatePodLabel | action::kDelete,
                  "a counted pod was added, removed or relabeled"},
                 {Resource::kTargetPod, action::kUpdatePodLabel | action::kUpdatePodToleration,
                  "the constraints select the pod now or no longer, or it tolerates more taints"},
                 {Resource::kNode,
                  action::kAdd | action::kDelete | action::kUpdateNodeLabel |
                      action::kUpdateNodeTaint,
                  "a node joined or left a topology domain"}},
      .reads = {ObjectKind::kService, ObjectKind::kReplicationController, ObjectKind::kReplicaSet,
                ObjectKind::kStatefulSet},
      .default_weight = 2,
      .example = R"(# Pods without constraints of their own are spread over zones.
pluginConfig:
- name: PodTopologySpread
  args:
    defaultingType: List
    defaultConstraints:
    - {topologyKey: topology.kubernetes.io/zone, maxSkew: 1, whenUnsatisfiable: ScheduleAnyway})",
  });
}

ObjectKindSet PodTopologySpread::Reads(const Args& args) {
  return args.EffectiveConstraints().empty() ? ObjectKindSet() : Descriptor().reads;
}

PodTopologySpread::PodTopologySpread(const Args& args)
    : default_constraints_(args.EffectiveConstraints()),
      system_defaulted_(args.UsesSystemDefaults()) {}

// Default constraints apply only to pods without any constraints. Source: kube-scheduler
// pkg/scheduler/framework/plugins/podtopologyspread/common.go, buildDefaultConstraints.
Result<SpreadConstraints> PodTopologySpread::ConstraintsFor(const CycleContext& cycle,
                                                            std::string_view action) const {
  const api::Pod& pod = cycle.pod.pod();
  const auto& own = pod.spec.topology_spread_constraints;
  if (!own.empty()) return SpreadConstraintsOf(own, pod, action);
  BERTH_TRY(auto defaults, SpreadConstraintsOf(default_constraints_, pod, action));
  if (defaults.empty()) return defaults;
  const api::Selector selector = cycle.snapshot.DefaultSelector(cycle.pod);
  if (selector.IsEmpty()) return SpreadConstraints();
  for (SpreadConstraint& constraint : defaults) constraint.selector = selector;
  return defaults;
}

PreFilterResult PodTopologySpread::PreFilter(CycleContext& cycle) const {
  auto constraints = ConstraintsFor(cycle, kDoNotSchedule);
  if (!constraints) {
    return PreFilterResult::Of(Status::Failed(
        "get constraints from pod: obtaining pod's hard topology spread constraints: " +
        constraints.error().message()));
  }
  if (constraints->empty()) return PreFilterResult::Of(Status::Skip());
  cycle.state.Write(HardSpread(cycle, *std::move(constraints)));
  return PreFilterResult::Of(Status::Success());
}

Verdict PodTopologySpread::Filter(const CycleContext& cycle, const NodeView& node) const {
  const Prepared<HardSpread> spread(
      cycle, [this](CycleContext& alone) { return PreFilter(alone).status; });
  if (spread.get() == nullptr) return spread.VerdictWithout();
  return node.simulated() ? spread.get()->CheckSimulated(cycle, node)
                          : spread.get()->Check(node.slot());
}

void PodTopologySpread::FilterBatch(const CycleContext& cycle, std::span<const Slot> slots,
                                    std::span<Verdict> out) const {
  const Prepared<HardSpread> spread(
      cycle, [this](CycleContext& alone) { return PreFilter(alone).status; });
  for (size_t i = 0; i < slots.size(); ++i) {
    out[i] = spread.get() != nullptr ? spread.get()->Check(slots[i]) : spread.VerdictWithout();
  }
}

Status PodTopologySpread::PreScore(CycleContext& cycle, const FeasibleNodes& feasible) const {
  const auto constraints = ConstraintsFor(cycle, kScheduleAnyway);
  if (!constraints) {
    return Status::Failed(
        "calculating preScoreState: obtaining pod's soft topology spread constraints: " +
        constraints.error().message());
  }
  if (constraints->empty()) return Status::Skip();
  // Only the system default constraints also score nodes that lack one of the topology keys.
  const bool needs_all_keys =
      !system_defaulted_ || !cycle.pod.pod().spec.topology_spread_constraints.empty();
  cycle.state.Write(SoftSpread(cycle, *constraints, needs_all_keys, feasible.slots()));
  return Status::Success();
}

// Treats all nodes as feasible: only PreScore gets the feasible nodes.
Status PodTopologySpread::PreScoreAllNodes(CycleContext& cycle) const {
  const auto order = cycle.snapshot.Order();
  return PreScore(cycle, FeasibleNodes({order.begin(), order.end()}));
}

int64_t PodTopologySpread::Score(const CycleContext& cycle, const NodeView& node) const {
  const Prepared<SoftSpread> spread(
      cycle, [this](CycleContext& alone) { return PreScoreAllNodes(alone); });
  return spread.get() != nullptr ? spread.get()->Score(node.slot()) : kMinNodeScore;
}

void PodTopologySpread::ScoreBatch(const CycleContext& cycle, std::span<const Slot> slots,
                                   std::span<int64_t> out) const {
  const Prepared<SoftSpread> spread(
      cycle, [this](CycleContext& alone) { return PreScoreAllNodes(alone); });
  if (spread.get() != nullptr) return spread.get()->ScoreAll(slots, out);
  std::ranges::fill(out, kMinNodeScore);
}

Status PodTopologySpread::NormalizeScore(CycleContext& cycle, std::span<const Slot> slots,
                                         std::span<int64_t> scores) const {
  const Prepared<SoftSpread> spread(
      cycle, [this](CycleContext& alone) { return PreScoreAllNodes(alone); });
  if (spread.get() != nullptr) spread.get()->Normalize(slots, scores);
  return Status::Success();
}

Result<SpreadConstraints> PodTopologySpread::HintConstraintsOf(const PendingPod& pod) const {
  const auto& own = pod.pod().spec.topology_spread_constraints;
  return SpreadConstraintsOf(own.empty() ? default_constraints_ : own, pod.pod(), kDoNotSchedule);
}

ResultKey PodTopologySpread::HintKeyOf(const PendingPod& pod) const {
  const auto constraints = HintConstraintsOf(pod);
  if (!constraints) return ResultKey::None();
  KeyText key;
  key.Add(pod.namespace_()).Add(pod.pod().spec.topology_spread_constraints.empty());
  for (const SpreadConstraint& constraint : *constraints) {
    key.Add(constraint.topology_key).Add(constraint.selector).Add(constraint.honours_taints);
  }
  return ResultKey::Of(key.Take());
}

QueueingHint PodTopologySpread::Hint(const PendingPod& pod, const ClusterEvent& event,
                                     const EventObjects& objects) const {
  if (event.resource == Resource::kAssignedPod &&
      !(IsInvolved(objects.old_pod.get(), pod) && IsInvolved(objects.new_pod.get(), pod))) {
    return QueueingHint::kSkip;
  }
  auto constraints = HintConstraintsOf(pod);
  if (!constraints) return QueueingHint::kQueue;
  const Spreading spreading{*std::move(constraints),
                            pod.pod().spec.topology_spread_constraints.empty()};
  if (event.resource == Resource::kNode) return AfterNodeChange(spreading, objects);
  return event.resource == Resource::kTargetPod ? AfterOwnChange(spreading, objects)
                                                : AfterPodChange(spreading, objects);
}

}  // namespace berth::scheduler
