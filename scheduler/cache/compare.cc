// SPDX-License-Identifier: Apache-2.0
// The self-check of the cache: against the store, and of its sums against its pods.
#include <algorithm>
#include <map>
#include <set>

#include "scheduler/cache/cache.h"

namespace berth::scheduler {

namespace {

// What the pods of a node come to, counted again.
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

}  // namespace

std::string_view Cache::MismatchOf(const api::Node& stored) const {
  owner_.AssertHeld();
  const Slot slot = Find(stored.metadata.name);
  if (slot == kNoSlot) return "is missing";
  const api::ObjectMeta& known = nodes_[slot].node->metadata;
  const bool is_same = known.uid == stored.metadata.uid &&
                       known.resource_version == stored.metadata.resource_version;
  return is_same ? "" : "is not the one of the store";
}

std::string_view Cache::MismatchOf(const std::string& uid,
                                   const std::string& resource_version) const {
  owner_.AssertHeld();
  const auto found = pods_.find(uid);
  if (found == pods_.end()) return "is missing";
  if (found->second.assumed) return "is assumed, in the store it is assigned";
  const bool is_same = found->second.pod->resource_version() == resource_version;
  return is_same ? "" : "is not the version of the store";
}

bool Cache::VisitNodes(IncrementalVisitor& pieces, size_t count,
                       const std::function<void(const api::Node&)>& visit) const {
  owner_.AssertHeld();
  return pieces.Step(slots_, count, [&](const auto& entry) {
    const auto& node = nodes_[entry.second].node;
    if (node != nullptr) visit(*node);
  });
}

bool Cache::VisitPods(IncrementalVisitor& pieces, size_t count,
                      const std::function<void(const PodInfo&)>& visit) const {
  owner_.AssertHeld();
  return pieces.Step(pods_, count, [&](const auto& entry) { visit(*entry.second.pod); });
}

std::vector<std::string> Cache::CompareWith(
    std::span<const std::shared_ptr<const api::Node>> nodes,
    std::span<const std::shared_ptr<const api::Pod>> pods) const {
  owner_.AssertHeld();
  std::vector<std::string> differences;
  const auto note = [&](const std::string& what, std::string_view mismatch) {
    if (!mismatch.empty()) differences.push_back(what + " " + std::string(mismatch));
  };

  std::set<std::string_view> stored_nodes;
  for (const auto& node : nodes) {
    stored_nodes.insert(node->metadata.name);
    note("node " + node->metadata.name, MismatchOf(*node));
  }
  for (const Slot slot : Order()) {
    const std::string& name = nodes_[slot].name.text();
    if (!stored_nodes.contains(name)) note("node " + name, "is not in the store");
  }

  std::set<std::string_view> stored_pods;
  for (const auto& pod : pods) {
    const std::string& uid = pod->metadata.uid;
    const std::string what = "pod " + uid;
    stored_pods.insert(uid);
    const auto found = pods_.find(uid);
    if (pod->spec.node_name.empty()) {
      const bool has_node = found != pods_.end() && !found->second.assumed;
      if (has_node) note(what, "has no node in the store");
      continue;
    }
    note(what, MismatchOf(uid, pod->metadata.resource_version));
    if (found == pods_.end()) continue;
    const std::string& node = nodes_[found->second.slot].name.text();
    if (node != pod->spec.node_name) {
      note(what, "is on " + node + ", in the store on " + pod->spec.node_name);
    }
  }
  for (const auto& [uid, entry] : pods_) {
    if (!stored_pods.contains(uid)) note("pod " + std::string(uid), "is not in the store");
  }

  for (const auto& [name, slot] : slots_) CompareSums(nodes_[slot], differences);
  CompareCounts(differences);
  std::sort(differences.begin(), differences.end());
  return differences;
}

void Cache::CompareCounts(std::vector<std::string>& differences) const {
  std::vector<PodCounts::OnSlot> pods;
  for (const auto& [uid, entry] : pods_) {
    pods.push_back({entry.pod.get(), entry.slot, &entry.counted});
  }
  counts_.Compare(pods, differences);
}

void Cache::CompareSums(const NodeInfo& info, std::vector<std::string>& differences) const {
  const Sums sums(info);
  const auto expect = [&](std::string_view what, auto counted, auto kept) {
    if (static_cast<int64_t>(counted) == static_cast<int64_t>(kept)) return;
    differences.push_back("node " + info.name.text() + ": " + std::string(what) + " is " +
                          std::to_string(kept) + ", its pods come to " + std::to_string(counted));
  };
  using Columns = ResourceColumns;
  expect("cpu", sums.milli_cpu, columns_.requested(Columns::kMilliCpu, info.slot));
  expect("memory", sums.memory, columns_.requested(Columns::kMemory, info.slot));
  expect("ephemeral-storage", sums.ephemeral_storage,
         columns_.requested(Columns::kEphemeralStorage, info.slot));
  expect("number of pods", info.pods.size(), columns_.requested(Columns::kPods, info.slot));
  expect("cpu for scores", sums.non_zero_milli_cpu, columns_.non_zero_milli_cpu(info.slot));
  expect("memory for scores", sums.non_zero_memory, columns_.non_zero_memory(info.slot));
  for (const auto& [name, amount] : sums.scalars) {
    expect(words_.Text(name), amount, columns_.scalar_requested(name, info.slot));
  }
  LowestPriority lowest;
  for (const auto& pod : info.pods) lowest.Add(pod->priority());
  expect("the lowest priority", lowest.value, info.lowest_priority.value);
  expect("number of pods of the lowest priority", lowest.pods, info.lowest_priority.pods);
  expect("number of host ports", sums.ports, info.used_ports.size());
}

}  // namespace berth::scheduler
