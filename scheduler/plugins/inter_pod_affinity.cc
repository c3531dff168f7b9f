// SPDX-License-Identifier: Apache-2.0
#include "scheduler/plugins/inter_pod_affinity.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "scheduler/model/key_text.h"
#include "scheduler/model/pod_selector.h"
#include "scheduler/plugins/domain_column.h"
#include "scheduler/plugins/own_terms.h"
#include "scheduler/plugins/pod_events.h"
#include "scheduler/plugins/prepared.h"
#include "scheduler/plugins/topology_sums.h"

namespace berth::scheduler {
namespace {

// A pod with more terms on one side counts them again in each attempt: the counts of thousands of
// terms by node would take more memory than the pod and the nodes.
constexpr size_t kMostKeptTerms = 32;

// OwnCounts counts the pods that a term of the pending pod selects, by domain. A term that excludes
// the values of the pod itself, such as the other jobs of JobSet's exclusive placement, is counted
// without the exclusion, minus the excluded pods: so the terms of all jobs share their counts.
struct OwnCounts {
  OwnCounts(const PodIndex& pods, const OwnTerm& term, const PendingPod& pod) {
    const auto exclusion = ExclusionOf(term.selector);
    if (!exclusion || !Excludes(exclusion->excluded, pod)) {
      counts = &pods.ByDomain({.all_of = {term.selector}}, term.topology_key);
      return;
    }
    counts = &pods.ByDomain({.all_of = {exclusion->base}}, term.topology_key);
    if (counts->total() == 0) return;
    excluded.resize(counts->Pods().size());
    pods.VisitDomains({.all_of = {exclusion->OfExcluded()}}, counts->topology(),
                      [this](Domain domain) { ++excluded[domain]; });
  }

  static bool Excludes(const api::Requirement& excluded, const PendingPod& pod) {
    const auto label = pod.pod().metadata.labels.find(excluded.key);
    return label != pod.pod().metadata.labels.end() && !excluded.MatchesValue(&label->second);
  }

  const DomainCounts* counts = nullptr;
  std::vector<uint32_t> excluded;  // by domain; empty: none
};

// ---- Filter

VerdictReason AffinityReason() {
  static const VerdictReason kReason =
      VerdictReason::Intern("node(s) didn't match pod affinity rules");
  return kReason;
}

VerdictReason AntiAffinityReason() {
  static const VerdictReason kReason =
      VerdictReason::Intern("node(s) didn't match pod anti-affinity rules");
  return kReason;
}

VerdictReason PlacedAntiAffinityReason() {
  static const VerdictReason kReason =
      VerdictReason::Intern("node(s) didn't satisfy existing pods anti-affinity rules");
  return kReason;
}

// RequiredTerms checks nodes against the required terms of the pod and of existing pods.
class RequiredTerms {
 public:
  RequiredTerms(const CycleContext& cycle, const OwnTerms& terms);

  // Reports whether no term restricts the pod: every node fits.
  bool None() const {
    return affinity_.empty() && anti_affinity_.empty() && summed_.empty() && placed_.empty();
  }
  Verdict Check(Slot slot) const;
  Verdict CheckSimulated(const CycleContext& cycle, const NodeView& node) const;

 private:
  // The pods that a term of the pod selects, by domain.
  struct Counted {
    DomainColumn column;
    PodSelector selector;
  };
  // A topology of the affinity terms: the pods that match all terms, by domain.
  struct Wanted {
    DomainColumn column;
    int64_t total;
  };
  // A term that is counted in `sums_`.
  struct Summed {
    PodSelector selector;
    std::span<const Domain> domains;  // by slot
  };

  void CountAffinity(const PodIndex& pods, const std::vector<OwnTerm>& terms);
  void CountAntiAffinity(const CycleContext& cycle, const std::vector<OwnTerm>& terms);

  bool AffinityMeans(const PodIndex& pods, const PodInfo& pod) const;
  bool FindsAffinity(Slot slot, int64_t simulated) const;
  bool IsFirstOfItsGroup(int64_t simulated) const;
  bool IsRepelled(const CycleContext& cycle, const NodeView& node) const;

  PodQuery wanted_;  // one pod must match all affinity terms
  std::vector<Wanted> affinity_;
  std::vector<Counted> anti_affinity_;
  // The anti-affinity terms that exclude pods (see OwnCounts) or are many. Their sum suffices,
  // because no count is negative.
  std::vector<Summed> summed_;
  TopologySums sums_;
  TopologySums placed_;          // existing pods with anti-affinity that selects the pod
  bool matches_itself_ = false;  // its affinity selects the pod itself
};

RequiredTerms::RequiredTerms(const CycleContext& cycle, const OwnTerms& terms) {
  const PodIndex& pods = cycle.snapshot.Pods();
  CountAffinity(pods, terms.affinity);
  CountAntiAffinity(cycle, terms.anti_affinity);
  for (const PlacedTerm& term : pods.TermsMatching(cycle.pod)) {
    if (term.kind == TermKind::kRequiredAntiAffinity) placed_.Add(term, 1);
  }
  matches_itself_ = AffinityMeans(pods, cycle.pod);
}

void RequiredTerms::CountAffinity(const PodIndex& pods, const std::vector<OwnTerm>& terms) {
  std::set<std::string_view> topologies;
  for (const OwnTerm& term : terms) wanted_.all_of.push_back(term.selector);
  for (const OwnTerm& term : terms) {
    if (!topologies.insert(term.topology_key).second) continue;
    const DomainCounts& counts = pods.ByDomain(wanted_, term.topology_key);
    affinity_.push_back({DomainColumn(counts), static_cast<int64_t>(counts.total())});
  }
}

void RequiredTerms::CountAntiAffinity(const CycleContext& cycle,
                                      const std::vector<OwnTerm>& terms) {
  const PodIndex& pods = cycle.snapshot.Pods();
  for (const OwnTerm& term : terms) {
    if (terms.size() > kMostKeptTerms) {
      sums_.AddOnce(pods, {.all_of = {term.selector}}, term.topology_key, 1);
    } else {
      const OwnCounts counted(pods, term, cycle.pod);
      if (counted.excluded.empty()) {
        anti_affinity_.push_back({DomainColumn(*counted.counts), term.selector});
        continue;
      }
      sums_.Add(*counted.counts, counted.excluded, 1);
    }
    summed_.push_back({term.selector, pods.Domains(term.topology_key).OfSlots()});
  }
}

bool RequiredTerms::AffinityMeans(const PodIndex& pods, const PodInfo& pod) const {
  return !affinity_.empty() && std::ranges::all_of(wanted_.all_of, [&](const PodSelector& term) {
    return pods.Matches(term, pod);
  });
}

// Reports whether the node has all topology keys and each of its domains a matching pod.
// `simulated` is the number of matching pods that the delta adds.
bool RequiredTerms::FindsAffinity(Slot slot, int64_t simulated) const {
  bool found = true;
  for (const Wanted& topology : affinity_) {
    if (!topology.column.Has(slot)) return false;
    found = found && topology.column.At(slot) + simulated > 0;
  }
  return found || IsFirstOfItsGroup(simulated);
}

// The first pod of a group with mutual affinity finds no matching pod. It fits any node if the
// cluster has no matching pod and the pod matches its own terms.
bool RequiredTerms::IsFirstOfItsGroup(int64_t simulated) const {
  return matches_itself_ && std::ranges::all_of(affinity_, [simulated](const Wanted& topology) {
           return topology.total + simulated == 0;
         });
}

Verdict RequiredTerms::Check(Slot slot) const {
  if (!FindsAffinity(slot, 0)) return Verdict::UnschedulableAndUnresolvable(AffinityReason());
  const bool kept_away = std::ranges::any_of(
      anti_affinity_, [slot](const Counted& term) { return term.column.At(slot) > 0; });
  if (kept_away || (!sums_.empty() && sums_.At(slot) > 0)) {
    return Verdict::Unschedulable(AntiAffinityReason());
  }
  if (placed_.At(slot) > 0) return Verdict::Unschedulable(PlacedAntiAffinityReason());
  return Verdict::Fits();
}

// Checks a node with a delta. Source: kube-scheduler
// pkg/scheduler/framework/plugins/interpodaffinity/filtering.go, updateWithPod (AddPod and
// RemovePod).
Verdict RequiredTerms::CheckSimulated(const CycleContext& cycle, const NodeView& node) const {
  const PodIndex& pods = cycle.snapshot.Pods();
  const Slot slot = node.slot();
  const int64_t wanted =
      SimulatedPods(*node.delta(), [&](const PodInfo& pod) { return AffinityMeans(pods, pod); });
  if (!FindsAffinity(slot, wanted)) {
    return Verdict::UnschedulableAndUnresolvable(AffinityReason());
  }
  const auto simulated = [&](const PodSelector& selector) {
    return SimulatedPods(*node.delta(),
                         [&](const PodInfo& pod) { return pods.Matches(selector, pod); });
  };
  const bool kept_away = std::ranges::any_of(anti_affinity_, [&](const Counted& term) {
    return term.column.Has(slot) && term.column.At(slot) + simulated(term.selector) > 0;
  });
  int64_t sum = sums_.At(slot);
  for (const Summed& term : summed_) {
    if (term.domains[slot] != kNoDomain) sum += simulated(term.selector);
  }
  if (kept_away || sum > 0) return Verdict::Unschedulable(AntiAffinityReason());
  if (IsRepelled(cycle, node)) return Verdict::Unschedulable(PlacedAntiAffinityReason());
  return Verdict::Fits();
}

// Reports whether the anti-affinity of an existing or simulated pod keeps the pod off the node.
bool RequiredTerms::IsRepelled(const CycleContext& cycle, const NodeView& node) const {
  std::map<std::string_view, int64_t> repelling;  // by topology key, in the node's domain
  placed_.ForEach(node.slot(), [&](const std::string& key, int64_t sum) { repelling[key] = sum; });
  node.delta()->ForEach([&](const PodInfo& other, int sign) {
    for (const api::PodAffinityTerm& term : other.anti_affinity().required) {
      if (!node.node().metadata.labels.contains(term.topology_key)) continue;
      const auto selector = SelectorOf(term, other.namespace_());
      if (selector && cycle.snapshot.Pods().Matches(*selector, cycle.pod)) {
        repelling[term.topology_key] += sign;
      }
    }
  });
  return std::ranges::any_of(repelling, [](const auto& count) { return count.second > 0; });
}

// ---- Score

// Preferences holds the scores of the preferred terms.
struct Preferences {
  TopologySums sums;
};

// If the pod has preferred terms of its own, the terms of existing pods count even if the arguments
// ignore them, as in kube-scheduler.
TopologySums PreferencesFor(const CycleContext& cycle, const OwnTerms& own,
                            const InterPodAffinityArgs& args) {
  TopologySums sums;
  if (args.ignore_preferred_terms_of_existing_pods && !own.HasPreferred()) return sums;
  const PodIndex& pods = cycle.snapshot.Pods();
  const auto add_own = [&](const std::vector<OwnTerm>& terms, int64_t sign) {
    for (const OwnTerm& term : terms) {
      if (terms.size() <= kMostKeptTerms) {
        const OwnCounts counted(pods, term, cycle.pod);
        sums.Add(*counted.counts, counted.excluded, sign * term.weight);
      } else {
        sums.AddOnce(pods, {.all_of = {term.selector}}, term.topology_key, sign * term.weight);
      }
    }
  };
  add_own(own.preferred_affinity, 1);
  add_own(own.preferred_anti_affinity, -1);
  for (const PlacedTerm& term : pods.TermsMatching(cycle.pod)) {
    const auto add = [&](int64_t weight) { sums.Add(term, weight); };
    switch (term.kind) {
      case TermKind::kRequiredAffinity:
        if (args.hard_pod_affinity_weight > 0) add(args.hard_pod_affinity_weight);
        break;
      case TermKind::kRequiredAntiAffinity:
        break;
      case TermKind::kPreferredAffinity:
        add(term.weight);
        break;
      case TermKind::kPreferredAntiAffinity:
        add(-int64_t{term.weight});
        break;
    }
  }
  return sums;
}

// ---- Hints

using Terms = std::vector<OwnTerm>;

// Hints cannot read Namespace objects, so a term with a namespaceSelector counts for pods of all
// namespaces: a needless attempt costs less than a pod that is not retried. kube-scheduler ignores
// the selector (kubernetes/kubernetes#141953).
bool AllTermsMayMatch(const Terms& terms, const PodInfo& pod) {
  return !terms.empty() && std::ranges::all_of(terms, [&pod](const OwnTerm& term) {
    return term.selector.MayMatch(pod);
  });
}

bool AnyTermMayMatch(const Terms& terms, const PodInfo& pod) {
  return std::ranges::any_of(terms,
                             [&pod](const OwnTerm& term) { return term.selector.MayMatch(pod); });
}

QueueingHint AfterPodUpdate(const Terms& affinity, const Terms& anti_affinity,
                            const PodInfo& before, const PodInfo& after) {
  if (!AllTermsMayMatch(affinity, before) && AllTermsMayMatch(affinity, after)) {
    return QueueingHint::kQueue;
  }
  return QueueIf(AnyTermMayMatch(anti_affinity, before) && !AnyTermMayMatch(anti_affinity, after));
}

// Without its last peer, a pod that its own affinity selects may be the first of its group.
// kube-scheduler does not retry it (kubernetes/kubernetes#141354).
QueueingHint AfterPodDelete(const PodInfo& pod, const Terms& affinity, const Terms& anti_affinity,
                            const PodInfo& gone) {
  if (AllTermsMayMatch(affinity, gone) && AllTermsMayMatch(affinity, pod)) {
    return QueueingHint::kQueue;
  }
  if (AnyTermMayMatch(anti_affinity, gone)) return QueueingHint::kQueue;
  const auto of_gone = CompileRequired(gone.anti_affinity(), gone);
  return QueueIf(!of_gone || AnyTermMayMatch(*of_gone, pod));
}

QueueingHint AfterPodChange(const PodInfo& pod, const EventObjects& objects) {
  const PodInfo* before = objects.old_pod.get();
  const PodInfo* after = objects.new_pod.get();
  for (const PodInfo* other : {before, after}) {
    if (other != nullptr && !HoldsPlace(*other)) return QueueingHint::kSkip;
  }
  const auto affinity = CompileRequired(pod.affinity(), pod);
  const auto anti_affinity = CompileRequired(pod.anti_affinity(), pod);
  if (!affinity || !anti_affinity) return QueueingHint::kQueue;
  if (before != nullptr && after != nullptr) {
    return AfterPodUpdate(*affinity, *anti_affinity, *before, *after);
  }
  if (after != nullptr) return QueueIf(AllTermsMayMatch(*affinity, *after));
  return AfterPodDelete(pod, *affinity, *anti_affinity, *before);
}

const std::string* FindLabel(const api::Node& node, const std::string& key) {
  const auto label = node.metadata.labels.find(key);
  return label == node.metadata.labels.end() ? nullptr : &label->second;
}

// Reports whether the label was removed from the node or its value changed.
bool HasLeft(const api::Node& before, const api::Node& after, const std::string& key) {
  const std::string* then = FindLabel(before, key);
  const std::string* now = FindLabel(after, key);
  return then != nullptr && (now == nullptr || *then != *now);
}

// A node may satisfy an affinity term by joining a domain, and an anti-affinity term by leaving
// one. A new node is in no forbidden domain.
QueueingHint AfterNodeChange(const PodInfo& pod, const EventObjects& objects) {
  const api::Node* before = objects.old_node.get();
  const api::Node& after = *objects.new_node;
  const auto affinity = CompileRequired(pod.affinity(), pod);
  const auto anti_affinity = CompileRequired(pod.anti_affinity(), pod);
  if (!affinity || !anti_affinity) return QueueingHint::kQueue;
  const bool enters = std::ranges::any_of(*affinity, [&](const OwnTerm& term) {
    if (before == nullptr) return FindLabel(after, term.topology_key) != nullptr;
    return HasLeft(after, *before, term.topology_key);
  });
  return QueueIf(enters || std::ranges::any_of(*anti_affinity, [&](const OwnTerm& term) {
                   return before == nullptr || HasLeft(*before, after, term.topology_key);
                 }));
}

// The anti-affinity of existing pods may select the pod by the labels of its namespace, which hints
// cannot see.
QueueingHint AfterNamespaceChange(const PodInfo& pod, const api::Namespace& changed) {
  if (changed.metadata.name == pod.namespace_()) return QueueingHint::kQueue;
  const auto affinity = CompileRequired(pod.affinity(), pod);
  const auto anti_affinity = CompileRequired(pod.anti_affinity(), pod);
  if (!affinity || !anti_affinity) return QueueingHint::kQueue;
  const auto selects = [&changed](const OwnTerm& term) {
    return term.selector.namespace_selector.Matches(changed.metadata.labels);
  };
  const auto may_exclude = [&selects](const OwnTerm& term) {
    const api::Selector& selector = term.selector.namespace_selector;
    return !selector.IsNothing() && !selector.IsEmpty() && !selects(term);
  };
  return QueueIf(std::ranges::any_of(*affinity, selects) ||
                 std::ranges::any_of(*anti_affinity, may_exclude));
}

}  // namespace

std::vector<api::FieldError> InterPodAffinityArgs::Validate() const {
  if (hard_pod_affinity_weight >= 0 && hard_pod_affinity_weight <= 100) return {};
  return {api::FieldError::Invalid("hardPodAffinityWeight", hard_pod_affinity_weight,
                                   "not in valid range [0, 100]")};
}

PluginDescriptor InterPodAffinity::Descriptor() {
  return Describe<InterPodAffinity>({
      .name = "InterPodAffinity",
      .summary = "Filters nodes by required pod affinity and anti-affinity, the pod's own and that "
                 "of existing pods; scores nodes by preferred terms.",
      .depends_on = {Epoch::kNodeObject, Epoch::kNodePods, Epoch::kNamespaces},
      .events = {{Resource::kAssignedPod, action::kAdd | action::kUpdatePodLabel | action::kDelete,
                  "a pod that the affinity selects appeared, or a pod that the anti-affinity "
                  "selects is gone"},
                 {Resource::kTargetPod, action::kUpdatePodLabel,
                  "the anti-affinity of other pods may no longer select the pod"},
                 {Resource::kNode, action::kAdd | action::kUpdateNodeLabel,
                  "a node joined or left a topology domain"},
                 {Resource::kNamespace, action::kAdd | action::kUpdate,
                  "a namespaceSelector of the affinity matches its labels, or one of the "
                  "anti-affinity no longer does"}},
      .reads = {ObjectKind::kNamespace},
      .default_weight = 2,
      .example = R"(pluginConfig:
- name: InterPodAffinity
  args:
    hardPodAffinityWeight: 10
    ignorePreferredTermsOfExistingPods: true)",
  });
}

PreFilterResult InterPodAffinity::PreFilter(CycleContext& cycle) const {
  auto terms = OwnTerms::Of(cycle.pod);
  if (!terms) {
    return PreFilterResult::Of(
        Status::UnschedulableAndUnresolvable("parsing pod: " + terms.error().message()));
  }
  RequiredTerms required(cycle, *terms);
  cycle.state.Write(*std::move(terms));
  if (required.None()) return PreFilterResult::Of(Status::Skip());
  cycle.state.Write(std::move(required));
  return PreFilterResult::Of(Status::Success());
}

Verdict InterPodAffinity::Filter(const CycleContext& cycle, const NodeView& node) const {
  const Prepared<RequiredTerms> required(
      cycle, [this](CycleContext& alone) { return PreFilter(alone).status; });
  if (required.get() == nullptr) return required.VerdictWithout();
  return node.simulated() ? required.get()->CheckSimulated(cycle, node)
                          : required.get()->Check(node.slot());
}

void InterPodAffinity::FilterBatch(const CycleContext& cycle, std::span<const Slot> slots,
                                   std::span<Verdict> out) const {
  const Prepared<RequiredTerms> required(
      cycle, [this](CycleContext& alone) { return PreFilter(alone).status; });
  for (size_t i = 0; i < slots.size(); ++i) {
    out[i] =
        required.get() != nullptr ? required.get()->Check(slots[i]) : required.VerdictWithout();
  }
}

Status InterPodAffinity::PreScore(CycleContext& cycle, const FeasibleNodes&) const {
  if (cycle.state.Read<OwnTerms>() == nullptr) {
    auto terms = OwnTerms::Of(cycle.pod);
    if (!terms) return Status::Failed("failed to parse pod: " + terms.error().message());
    cycle.state.Write(*std::move(terms));
  }
  TopologySums sums = PreferencesFor(cycle, *cycle.state.Read<OwnTerms>(), args_);
  if (sums.empty()) return Status::Skip();
  cycle.state.Write(Preferences{std::move(sums)});
  return Status::Success();
}

int64_t InterPodAffinity::Score(const CycleContext& cycle, const NodeView& node) const {
  const Prepared<Preferences> preferences(
      cycle, [this](CycleContext& alone) { return PreScore(alone, {}); });
  return preferences.get() != nullptr ? preferences.get()->sums.At(node.slot()) : 0;
}

void InterPodAffinity::ScoreBatch(const CycleContext& cycle, std::span<const Slot> slots,
                                  std::span<int64_t> out) const {
  const Prepared<Preferences> preferences(
      cycle, [this](CycleContext& alone) { return PreScore(alone, {}); });
  for (size_t i = 0; i < slots.size(); ++i) {
    out[i] = preferences.get() != nullptr ? preferences.get()->sums.At(slots[i]) : 0;
  }
}

ResultKey InterPodAffinity::HintKeyOf(const PendingPod& pod) const {
  KeyText key;
  key.Add(pod.namespace_()).AddCount(pod.labels());
  for (const auto& [name, value] : pod.labels()) key.Add(name).Add(value);
  for (const api::PodAffinity* side : {&pod.affinity(), &pod.anti_affinity()}) {
    const auto terms = CompileRequired(*side, pod);
    if (!terms) return ResultKey::None();
    key.AddCount(*terms);
    for (const OwnTerm& term : *terms) term.selector.AppendKey(key.Add(term.topology_key));
  }
  return ResultKey::Of(key.Take());
}

QueueingHint InterPodAffinity::Hint(const PendingPod& pod, const ClusterEvent& event,
                                    const EventObjects& objects) const {
  if (event.resource == Resource::kNode) return AfterNodeChange(pod, objects);
  if (event.resource == Resource::kNamespace) {
    return AfterNamespaceChange(pod, *objects.new_namespace);
  }
  if (event.resource == Resource::kTargetPod) return QueueingHint::kQueue;
  return AfterPodChange(pod, objects);
}

}  // namespace berth::scheduler
