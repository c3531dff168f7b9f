// SPDX-License-Identifier: Apache-2.0
#include "tests/scheduler/testing/walking_pod_index.h"

#include <algorithm>
#include <compare>
#include <deque>
#include <limits>
#include <map>
#include <numeric>
#include <utility>
#include <vector>

namespace berth::scheduler::testing {
namespace {

// Visits each term that a placed pod has, with its kind and its weight.
template <class Visit>
void ForEachTerm(const PodInfo& pod, const Visit& visit) {
  const auto of_side = [&](const api::PodAffinity& side, TermKind required, TermKind preferred) {
    for (const api::PodAffinityTerm& term : side.required) visit(term, required, 0);
    for (const api::WeightedPodAffinityTerm& each : side.preferred) {
      visit(each.pod_affinity_term, preferred, each.weight);
    }
  };
  of_side(pod.affinity(), TermKind::kRequiredAffinity, TermKind::kPreferredAffinity);
  of_side(pod.anti_affinity(), TermKind::kRequiredAntiAffinity, TermKind::kPreferredAntiAffinity);
}

// What like terms have in common.
struct TermText {
  TermKind kind;
  int32_t weight;
  std::string selector;
  std::string topology_key;
  auto operator<=>(const TermText&) const = default;
};

}  // namespace

class WalkingPodIndex::Topology final : public TopologyDomains {
 public:
  Topology(const Snapshot& snapshot, size_t slots, std::string key)
      : key_(std::move(key)), of_slots_(slots, kNoDomain) {
    std::map<std::string, Domain> domains;
    for (const Slot slot : snapshot.Order()) {
      const api::StringMap& labels = snapshot.At(slot).node->metadata.labels;
      const auto label = labels.find(key_);
      if (label == labels.end()) continue;
      of_slots_[slot] =
          domains.emplace(label->second, static_cast<Domain>(domains.size())).first->second;
    }
    bound_ = domains.size();
  }

  std::span<const Domain> OfSlots() const override { return of_slots_; }
  size_t bound() const override { return bound_; }
  const std::string& key() const override { return key_; }

 private:
  std::string key_;
  std::vector<Domain> of_slots_;
  size_t bound_ = 0;
};

class WalkingPodIndex::Counts final : public DomainCounts {
 public:
  explicit Counts(const Topology& topology)
      : topology_(topology), pods_(topology.bound()), nodes_(topology.bound()) {}

  void AddNode(Slot slot) {
    if (const Domain domain = topology_.OfSlots()[slot]; domain != kNoDomain) ++nodes_[domain];
  }
  void AddPod(Slot slot) {
    if (const Domain domain = topology_.OfSlots()[slot]; domain != kNoDomain) ++pods_[domain];
  }

  const TopologyDomains& topology() const override { return topology_; }
  std::span<const uint32_t> Pods() const override { return pods_; }
  std::span<const uint32_t> Nodes() const override { return nodes_; }
  uint64_t total() const override {
    return std::accumulate(pods_.begin(), pods_.end(), uint64_t{0});
  }
  size_t domains() const override {
    return nodes_.size() - static_cast<size_t>(std::ranges::count(nodes_, 0u));
  }
  uint32_t lowest() const override { return LowestWithout(kNoDomain); }
  uint32_t LowestWithout(Domain domain) const override {
    uint32_t lowest = std::numeric_limits<uint32_t>::max();
    bool found = false;
    for (Domain i = 0; i < nodes_.size(); ++i) {
      if (i == domain || nodes_[i] == 0) continue;
      lowest = std::min(lowest, pods_[i]);
      found = true;
    }
    return found ? lowest : 0;
  }

 private:
  const Topology& topology_;
  std::vector<uint32_t> pods_, nodes_;
};

// Addresses in it are stable.
struct WalkingPodIndex::Given {
  uint64_t generation = 0;
  std::map<std::string, std::unique_ptr<const Topology>> topologies;
  std::deque<std::vector<uint32_t>> by_slot;
  std::deque<Counts> counts;
  std::deque<SparseCounts> sparse;
  std::deque<std::vector<PlacedTerm>> terms;
};

WalkingPodIndex::WalkingPodIndex(const Snapshot& snapshot) : snapshot_(snapshot) {}
WalkingPodIndex::~WalkingPodIndex() = default;

WalkingPodIndex::Given& WalkingPodIndex::Answers() const {
  if (given_ == nullptr || given_->generation != snapshot_.Generation()) {
    given_ = std::make_unique<Given>();
    given_->generation = snapshot_.Generation();
  }
  return *given_;
}

size_t WalkingPodIndex::SlotBound() const { return snapshot_.Columns().slots(); }

const WalkingPodIndex::Topology& WalkingPodIndex::TopologyOf(const std::string& key) const {
  auto& topology = Answers().topologies[key];
  if (topology == nullptr) topology = std::make_unique<Topology>(snapshot_, SlotBound(), key);
  return *topology;
}

const TopologyDomains& WalkingPodIndex::Domains(const std::string& topology_key) const {
  return TopologyOf(topology_key);
}

bool WalkingPodIndex::Matches(const PodSelector& selector, const PodInfo& pod) const {
  api::StringMap labels;
  if (const LabelSet* known = snapshot_.Namespaces().LabelsOf(pod.namespace_word())) {
    const Vocabulary& words = snapshot_.Words();
    for (const auto& [key, value] : *known) labels[words.Text(key)] = words.Text(value);
  }
  return selector.Matches(pod, labels);
}

bool WalkingPodIndex::IsMeant(const PodQuery& query, const PodInfo& pod) const {
  return (query.with_terminating || !pod.terminating()) &&
         std::ranges::all_of(query.all_of,
                             [&](const PodSelector& each) { return Matches(each, pod); });
}

std::span<const uint32_t> WalkingPodIndex::BySlot(const PodQuery& query) const {
  std::vector<uint32_t>& counts = Answers().by_slot.emplace_back(SlotBound());
  for (const Slot slot : snapshot_.Order()) {
    for (const auto& pod : snapshot_.At(slot).pods) counts[slot] += IsMeant(query, *pod) ? 1 : 0;
  }
  return counts;
}

const DomainCounts& WalkingPodIndex::ByDomain(const PodQuery& query,
                                              const std::string& topology_key,
                                              const SubsetQuery& subset) const {
  const auto included = subset.key.empty() ? nullptr : subset.make();
  Counts& counts = Answers().counts.emplace_back(TopologyOf(topology_key));
  for (const Slot slot : snapshot_.Order()) {
    const NodeInfo& node = snapshot_.At(slot);
    if (included != nullptr && !included->Includes(*node.node)) continue;
    counts.AddNode(slot);
    for (const auto& pod : node.pods) {
      if (IsMeant(query, *pod)) counts.AddPod(slot);
    }
  }
  return counts;
}

std::span<const PlacedTerm> WalkingPodIndex::TermsAbout(const PodInfo& pod) const {
  std::map<TermText, SparseCounts*> found;
  for (const Slot slot : snapshot_.Order()) {
    for (const auto& placed : snapshot_.At(slot).pods) {
      ForEachTerm(*placed, [&](const api::PodAffinityTerm& term, TermKind kind, int32_t weight) {
        const auto selector = SelectorOf(term, placed->namespace_(), TermOwner::kPlaced);
        if (!selector || !Matches(*selector, pod)) return;
        SparseCounts*& counts = found[{kind, weight, selector->Key(), term.topology_key}];
        if (counts == nullptr) counts = &Answers().sparse.emplace_back();
        const Domain domain = TopologyOf(term.topology_key).OfSlots()[slot];
        if (domain != kNoDomain) counts->Increase(domain);
      });
    }
  }
  std::vector<PlacedTerm>& terms = Answers().terms.emplace_back();
  for (const auto& [text, counts] : found) {
    terms.push_back({.kind = text.kind,
                     .weight = text.weight,
                     .topology = &TopologyOf(text.topology_key),
                     .counts = counts});
  }
  return terms;
}

}  // namespace berth::scheduler::testing
