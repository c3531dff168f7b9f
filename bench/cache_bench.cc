// SPDX-License-Identifier: Apache-2.0
// Events that reach the cache.
#include <fmt/format.h>

#include "bench/cases.h"
#include "bench/fixtures.h"
#include "scheduler/cache/cache.h"

namespace berth::bench {
namespace {

// LoadedCache is a cluster at rest and pods that come to run on it.
class LoadedCache : public Workload {
 protected:
  explicit LoadedCache(const Scale& scale) : nodes_(scale.nodes) {
    const ClusterObjects cluster = MakeCluster(scale.nodes, scale.pods_per_node);
    for (const auto& node : cluster.nodes) cache_.AddNode(node);
    for (const auto& pod : cluster.pods) cache_.AddPod(*pod);
  }

  size_t nodes_;
  scheduler::Vocabulary words_;
  scheduler::Cache cache_{words_};
};

enum class PodEvent { kAdd, kRemove };

// PodEvents adds running pods and removes them again; one of the two is measured.
class PodEvents final : public LoadedCache {
 public:
  PodEvents(const Scale& scale, PodEvent measured) : LoadedCache(scale), measured_(measured) {
    for (size_t i = 0; i < scale.round; ++i) {
      pods_.push_back(MakePod(kFirstFreeSerial + i, ShapeAt(i % 64), NodeName(Mix(i) % nodes_)));
    }
  }

  size_t Operations() const override { return pods_.size(); }
  void Round(Meter& meter) override {
    Unmeasured unmeasured;
    {
      const Measured measured(measured_ == PodEvent::kAdd ? meter : unmeasured);
      for (const auto& pod : pods_) cache_.AddPod(*pod);
    }
    const Measured measured(measured_ == PodEvent::kRemove ? meter : unmeasured);
    for (const auto& pod : pods_) cache_.RemovePod(pod->metadata.uid);
  }

 private:
  PodEvent measured_;
  std::vector<std::shared_ptr<const api::Pod>> pods_;
};

// NodeEvents changes one node after the other, and in the next round back again.
class NodeEvents final : public LoadedCache {
 public:
  NodeEvents(const Scale& scale, const NodeChange& change) : LoadedCache(scale) {
    for (size_t node = 0; node < nodes_; ++node) {
      changed_.push_back(MakeNode(node, change));
      original_.push_back(MakeNode(node));
    }
  }

  size_t Operations() const override { return nodes_; }
  void Round(Meter& meter) override {
    const Measured measured(meter);
    for (const auto& node : is_changed_ ? original_ : changed_) cache_.UpdateNode(node);
    is_changed_ = !is_changed_;
  }

 private:
  std::vector<std::shared_ptr<const api::Node>> changed_, original_;
  bool is_changed_ = false;
};

Case Pods(std::string_view name, const Scale& scale, PodEvent measured) {
  return {fmt::format("cache/{}/nodes:{}", name, scale.nodes),
          [scale, measured] { return std::make_unique<PodEvents>(scale, measured); }};
}

Case Nodes(std::string_view name, const Scale& scale, const NodeChange& change) {
  return {fmt::format("cache/{}/nodes:{}", name, scale.nodes),
          [scale, change] { return std::make_unique<NodeEvents>(scale, change); }};
}

}  // namespace

std::vector<Case> CacheCases(const Scale& scale) {
  return {Pods("add_pod", scale, PodEvent::kAdd), Pods("remove_pod", scale, PodEvent::kRemove),
          Nodes("update_node_heartbeat", scale, {.heartbeat = 5}),
          Nodes("update_node_label", scale, {.revision = 1}),
          Nodes("update_node_allocatable", scale, {.cpu_taken = 1})};
}

}  // namespace berth::bench
