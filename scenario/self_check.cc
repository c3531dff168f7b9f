// SPDX-License-Identifier: Apache-2.0
#include "scenario/self_check.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>
#include <set>
#include <string_view>

namespace berth::scenario {
namespace {

using scheduler::AffinityTerm;
using scheduler::Cache;
using scheduler::CountColumn;
using scheduler::CountedNodes;
using scheduler::CountedPod;
using scheduler::Domain;
using scheduler::DomainSums;
using scheduler::kNoDomain;
using scheduler::LowestPriority;
using scheduler::NodeInfo;
using scheduler::PodCounts;
using scheduler::PodIndex;
using scheduler::PodInfo;
using scheduler::PodPieces;
using scheduler::PodQuery;
using scheduler::PodSelector;
using scheduler::ResourceColumns;
using scheduler::SaturatingAdd;
using scheduler::Slot;
using scheduler::SparseCounts;
using scheduler::StoredPod;
using scheduler::Symbol;
using scheduler::Topology;

constexpr size_t kAllAtOnce = std::numeric_limits<size_t>::max();

// Sums over the pods of a node, recomputed.
struct Sums {
  int64_t milli_cpu = 0, memory = 0, ephemeral_storage = 0, non_zero_milli_cpu = 0,
          non_zero_memory = 0;
  size_t ports = 0;
  std::map<Symbol, int64_t> scalars;

  explicit Sums(const NodeInfo& info) {
    for (const auto& pod : info.pods) {
      milli_cpu = SaturatingAdd(milli_cpu, pod->accounted().milli_cpu);
      memory = SaturatingAdd(memory, pod->accounted().memory);
      ephemeral_storage = SaturatingAdd(ephemeral_storage, pod->accounted().ephemeral_storage);
      non_zero_milli_cpu = SaturatingAdd(non_zero_milli_cpu, pod->non_zero_milli_cpu());
      non_zero_memory = SaturatingAdd(non_zero_memory, pod->non_zero_memory());
      for (const auto& [name, amount] : pod->accounted().scalars) {
        scalars[name] = SaturatingAdd(scalars[name], amount);
      }
      ports += pod->host_ports().size();
    }
  }
};

// OnSlot is a pod of the cache with its node.
struct OnSlot {
  const PodInfo* pod;
  Slot slot;
  const CountedPod* counted;
};

bool IsCounted(const PodQuery& query, const PodInfo& pod, const PodIndex& counts) {
  if (!query.Counts(pod.terminating())) return false;
  return std::ranges::all_of(
      query.all_of, [&](const PodSelector& selector) { return counts.Matches(selector, pod); });
}

const std::string* ValueOf(const NodeInfo& info, const std::string& key) {
  if (info.node == nullptr) return nullptr;
  const auto found = info.node->metadata.labels.find(key);
  return found == info.node->metadata.labels.end() ? nullptr : &found->second;
}

// Checks that nodes with equal values share a domain, that other nodes have none, and that both are
// counted correctly.
bool HasRightDomains(const Topology& topology, const Cache& cache) {
  std::map<std::string, Domain> of_value;
  std::map<Domain, std::string> of_domain;
  size_t in_a_domain = 0;
  for (Slot slot = 0; slot < cache.slot_count(); ++slot) {
    const Domain domain = topology.OfSlots()[slot];
    const std::string* value = ValueOf(cache.At(slot), topology.key());
    if ((value == nullptr) != (domain == kNoDomain)) return false;
    if (value == nullptr) continue;
    if (domain >= topology.bound()) return false;
    ++in_a_domain;
    if (of_value.try_emplace(*value, domain).first->second != domain) return false;
    if (of_domain.try_emplace(domain, *value).first->second != *value) return false;
  }
  return topology.domains() == of_value.size() && topology.nodes() == in_a_domain;
}

// Compares the sums with a new sum over the column.
bool HasRightSums(const DomainSums& sums, std::span<const uint32_t> by_slot, const Cache& cache) {
  const CountedNodes& counted = sums.nodes();
  std::vector<uint32_t> pods(counted.topology().bound()), node_counts(pods.size());
  uint64_t total = 0;
  for (Slot slot = 0; slot < cache.slot_count(); ++slot) {
    const Domain domain = counted.topology().OfSlots()[slot];
    if (domain == kNoDomain || !counted.members().Includes(cache.At(slot))) continue;
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

// Check compares one cache with a store.
class Check {
 public:
  explicit Check(const Cache& cache) : cache_(cache) {
    for (Slot slot = 0; slot < cache.slot_count(); ++slot) {
      for (const auto& pod : cache.At(slot).pods) {
        const CountedPod* counted = cache.FindCounted(pod->uid());
        if (counted == nullptr) {
          Note("pod " + pod->uid(), "is on a node, but unknown");
        } else {
          pods_.push_back({pod.get(), slot, counted});
        }
      }
    }
  }

  std::vector<std::string> Run(StoredNodes nodes, StoredPods pods) {
    CompareNodes(nodes);
    ComparePods(pods);
    for (Slot slot = 0; slot < cache_.slot_count(); ++slot) {
      const bool is_used = cache_.At(slot).slot == slot;
      if (is_used) CompareSums(cache_.At(slot));
    }
    CompareCounts();
    std::ranges::sort(differences_);
    return std::move(differences_);
  }

 private:
  void Note(const std::string& what, std::string_view mismatch) {
    if (!mismatch.empty()) differences_.push_back(what + " " + std::string(mismatch));
  }

  void CompareNodes(StoredNodes nodes) {
    std::set<std::string_view> stored;
    for (const auto& node : nodes) {
      stored.insert(node->metadata.name);
      Note("node " + node->metadata.name, cache_.MismatchOf(*node));
    }
    for (const Slot slot : cache_.Order()) {
      const std::string& name = cache_.At(slot).name.text();
      if (!stored.contains(name)) Note("node " + name, "is not in the store");
    }
  }

  void ComparePods(StoredPods pods) {
    std::map<std::string_view, Slot> slots;
    for (const OnSlot& each : pods_) slots.emplace(each.pod->uid(), each.slot);
    std::set<std::string_view> stored;
    for (const auto& pod : pods) {
      const std::string& uid = pod->metadata.uid;
      const std::string what = "pod " + uid;
      stored.insert(uid);
      if (pod->spec.node_name.empty()) {
        const bool has_node = cache_.FindPod(uid) != nullptr && !cache_.IsAssumed(uid);
        if (has_node) Note(what, "has no node in the store");
        continue;
      }
      Note(what, cache_.MismatchOf(uid, pod->metadata.resource_version));
      const auto slot = slots.find(uid);
      if (slot == slots.end()) continue;
      const std::string& node = cache_.At(slot->second).name.text();
      if (node != pod->spec.node_name) {
        Note(what, "is on " + node + ", in the store on " + pod->spec.node_name);
      }
    }
    IncrementalVisitor pieces;
    cache_.VisitPods(pieces, kAllAtOnce, [&](const PodInfo& pod) {
      if (!stored.contains(pod.uid())) Note("pod " + pod.uid(), "is not in the store");
      if (!slots.contains(pod.uid())) Note("pod " + pod.uid(), "is on no node");
    });
  }

  void CompareSums(const NodeInfo& info) {
    const Sums sums(info);
    const ResourceColumns& columns = cache_.Columns();
    const auto expect = [&](std::string_view what, auto counted, auto kept) {
      if (static_cast<int64_t>(counted) == static_cast<int64_t>(kept)) return;
      Note("node " + info.name.text() + ": " + std::string(what) + " is",
           std::to_string(kept) + ", the sum over its pods is " + std::to_string(counted));
    };
    using Columns = ResourceColumns;
    expect("cpu", sums.milli_cpu, columns.requested(Columns::kMilliCpu, info.slot));
    expect("memory", sums.memory, columns.requested(Columns::kMemory, info.slot));
    expect("ephemeral-storage", sums.ephemeral_storage,
           columns.requested(Columns::kEphemeralStorage, info.slot));
    expect("number of pods", info.pods.size(), columns.requested(Columns::kPods, info.slot));
    expect("cpu for scores", sums.non_zero_milli_cpu, columns.non_zero_milli_cpu(info.slot));
    expect("memory for scores", sums.non_zero_memory, columns.non_zero_memory(info.slot));
    for (const auto& [name, amount] : sums.scalars) {
      expect(cache_.Words().Text(name), amount, columns.ScalarAt(name, info.slot).requested);
    }
    LowestPriority lowest;
    for (const auto& pod : info.pods) lowest.Add(pod->priority());
    expect("the lowest priority", lowest.value, info.lowest_priority.value);
    expect("number of pods of the lowest priority", lowest.pods, info.lowest_priority.pods);
    expect("number of host ports", sums.ports, info.used_ports.size());
  }

  void CompareCounts() {
    const PodCounts& counts = cache_.Pods();
    counts.VisitTopologies([this](const Topology& topology) {
      if (HasRightDomains(topology, cache_)) return;
      Note("domains of topology key " + topology.key(), "do not match the labels of the nodes");
    });
    counts.VisitColumns([this](const CountColumn& column) { CompareColumn(column); });
    CompareTerms();
  }

  void CompareColumn(const CountColumn& column) {
    std::vector<uint32_t> by_slot(cache_.slot_count());
    for (const OnSlot& each : pods_) {
      if (IsCounted(column.query(), *each.pod, cache_.Pods())) ++by_slot[each.slot];
    }
    for (Slot slot = 0; slot < by_slot.size(); ++slot) {
      if (by_slot[slot] == column.BySlot()[slot]) continue;
      Note("node " + cache_.At(slot).name.text() + ": a count of pods is",
           std::to_string(column.BySlot()[slot]) + ", the sum over its pods is " +
               std::to_string(by_slot[slot]));
    }
    for (const auto& sums : column.sums()) {
      if (HasRightSums(*sums, by_slot, cache_)) continue;
      Note("a count of pods by " + sums->topology().key(), "does not match the sum over its nodes");
    }
  }

  void CompareTerms() {
    std::map<const SparseCounts*, std::map<Domain, uint32_t>> expected;
    for (const OnSlot& each : pods_) {
      if (each.counted->terms == nullptr) continue;
      for (const AffinityTerm* term : each.counted->terms->terms) {
        const Domain domain = term->group->topology->OfSlots()[each.slot];
        if (domain == kNoDomain) continue;
        ++expected[&term->group->counts][domain];
        for (const auto& value : term->excluded) {
          ++expected[&term->group->excluding.at(value).counts][domain];
        }
      }
    }
    cache_.Pods().VisitTermCounts([&](const Topology& topology, const SparseCounts& counts) {
      std::map<Domain, uint32_t> counted;
      for (const auto& [domain, count] : counts.Entries()) counted.emplace(domain, count);
      if (counted == expected[&counts]) return;
      Note("a count of affinity terms by " + topology.key(), "does not match the pods");
    });
  }

  const Cache& cache_;
  std::vector<OnSlot> pods_;
  std::vector<std::string> differences_;
};

}  // namespace

std::vector<std::string> FindDifferences(const Cache& cache, StoredNodes nodes, StoredPods pods) {
  return Check(cache).Run(nodes, pods);
}

std::vector<std::string> FindDifferences(const scheduler::Scheduler& scheduler, StoredNodes nodes,
                                         StoredPods pods) {
  std::vector<std::string> differences = FindDifferences(scheduler.cache(), nodes, pods);
  std::set<std::string_view> stored;
  for (const auto& pod : pods) {
    const StoredPod in_store = StoredPod::Of(*pod);
    if (in_store.waiting == nullptr || !scheduler.Serves(*pod)) continue;
    stored.insert(in_store.uid);
    const std::string mismatch(scheduler.MismatchOf(in_store));
    if (!mismatch.empty()) differences.push_back("pending pod " + in_store.uid + " " + mismatch);
  }
  std::set<std::string> pending;
  PodPieces pieces{.placed = {}, .pending = {}, .is_through_placed = true};
  scheduler.VisitPods(pieces, kAllAtOnce, [&](const PodInfo& pod) { pending.insert(pod.uid()); });
  for (const std::string& uid : pending) {
    if (!stored.contains(uid)) differences.push_back("pending pod " + uid + " is not in the store");
  }
  for (const std::string& uid : scheduler.queue().Uids()) {
    if (!pending.contains(uid)) differences.push_back("queued pod " + uid + " is not pending");
  }
  return differences;
}

}  // namespace berth::scenario
