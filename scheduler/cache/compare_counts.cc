// SPDX-License-Identifier: Apache-2.0
// The self-check of the counts: each is counted again, by texts, over all pods.
#include <algorithm>
#include <map>

#include "scheduler/cache/pod_counts.h"

namespace berth::scheduler {
namespace {

using OnSlot = PodCounts::OnSlot;

bool IsCounted(const PodQuery& query, const PodInfo& pod, const PodCounts& counts) {
  if (pod.terminating() && !query.with_terminating) return false;
  return std::ranges::all_of(
      query.all_of, [&](const PodSelector& selector) { return counts.Matches(selector, pod); });
}

const std::string* ValueOf(const NodeInfo& info, const std::string& key) {
  if (info.node == nullptr) return nullptr;
  const auto found = info.node->metadata.labels.find(key);
  return found == info.node->metadata.labels.end() ? nullptr : &found->second;
}

// HasRightDomains: nodes are in one domain when they have the same value, and in none without; and
// both are counted right.
bool HasRightDomains(const Topology& topology, const std::deque<NodeInfo>& nodes) {
  std::map<std::string, Domain> of_value;
  std::map<Domain, std::string> of_domain;
  size_t in_a_domain = 0;
  for (Slot slot = 0; slot < nodes.size(); ++slot) {
    const Domain domain = topology.OfSlots()[slot];
    const std::string* value = ValueOf(nodes[slot], topology.key());
    if ((value == nullptr) != (domain == kNoDomain)) return false;
    if (value == nullptr) continue;
    if (domain >= topology.bound()) return false;
    ++in_a_domain;
    if (of_value.try_emplace(*value, domain).first->second != domain) return false;
    if (of_domain.try_emplace(domain, *value).first->second != *value) return false;
  }
  return topology.domains() == of_value.size() && topology.nodes() == in_a_domain;
}

// HasRightSums adds the column up again.
bool HasRightSums(const DomainSums& sums, std::span<const uint32_t> by_slot,
                  const std::deque<NodeInfo>& nodes) {
  const CountedNodes& counted = sums.nodes();
  std::vector<uint32_t> pods(counted.topology().bound()), node_counts(pods.size());
  uint64_t total = 0;
  for (Slot slot = 0; slot < nodes.size(); ++slot) {
    const Domain domain = counted.topology().OfSlots()[slot];
    if (domain == kNoDomain || !counted.members().Includes(nodes[slot])) continue;
    pods[domain] += by_slot[slot];
    total += by_slot[slot];
    ++node_counts[domain];
  }
  std::vector<uint32_t> of_open;
  for (Domain domain = 0; domain < pods.size(); ++domain) {
    if (node_counts[domain] > 0) of_open.push_back(pods[domain]);
  }
  const uint32_t lowest = of_open.empty() ? 0 : *std::ranges::min_element(of_open);
  return std::ranges::equal(pods, sums.Pods()) && std::ranges::equal(node_counts, sums.Nodes()) &&
         total == sums.total() && of_open.size() == sums.domains() && lowest == sums.lowest();
}

}  // namespace

void PodCounts::Compare(std::span<const OnSlot> pods, std::vector<std::string>& differences) const {
  for (const auto& [key, topology] : made_.topologies) {
    if (HasRightDomains(*topology, nodes_)) continue;
    differences.push_back("domains of topology key " + key + " are not those of the nodes");
  }
  for (const auto& [key, column] : made_.columns) CompareColumn(*column, pods, differences);
  CompareTerms(pods, differences);
}

void PodCounts::CompareColumn(const CountColumn& column, std::span<const OnSlot> pods,
                              std::vector<std::string>& differences) const {
  std::vector<uint32_t> by_slot(nodes_.size());
  for (const OnSlot& each : pods) {
    if (IsCounted(column.query(), *each.pod, *this)) ++by_slot[each.slot];
  }
  for (Slot slot = 0; slot < by_slot.size(); ++slot) {
    if (by_slot[slot] == column.BySlot()[slot]) continue;
    differences.push_back("node " + nodes_[slot].name.text() + ": a count of pods is " +
                          std::to_string(column.BySlot()[slot]) + ", its pods come to " +
                          std::to_string(by_slot[slot]));
  }
  for (const auto& sums : column.sums()) {
    if (HasRightSums(*sums, by_slot, nodes_)) continue;
    differences.push_back("a count of pods by " + sums->topology().key() +
                          " is not what the nodes' counts come to");
  }
}

void PodCounts::CompareTerms(std::span<const OnSlot> pods,
                             std::vector<std::string>& differences) const {
  std::map<const AffinityTerm*, std::map<Domain, uint32_t>> expected;
  for (const OnSlot& each : pods) {
    if (each.counted->terms == nullptr) continue;
    for (const AffinityTerm* term : each.counted->terms->terms) {
      const Domain domain = term->topology->OfSlots()[each.slot];
      if (domain != kNoDomain) ++expected[term][domain];
    }
  }
  terms_.Visit([&](const AffinityTerm& term) {
    std::map<Domain, uint32_t> counted;
    for (const auto& [domain, count] : term.counts.Entries()) counted.emplace(domain, count);
    if (counted == expected[&term]) return;
    differences.push_back("a count of affinity terms by " + term.topology->key() +
                          " is not what the pods have");
  });
}

}  // namespace berth::scheduler
