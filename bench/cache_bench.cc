// SPDX-License-Identifier: Apache-2.0
// Events that reach the cache.
#include <span>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "bench/cases.h"
#include "bench/fixtures.h"
#include "scheduler/cache/cache.h"

namespace berth::bench {
namespace {

// LoadedCache is an idle cluster and pods that start to run on it.
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

void AskFor(const scheduler::Cache& cache, std::span<const scheduler::PodQuery> queries) {
  for (size_t i = 0; i < queries.size(); ++i) {
    cache.Pods().ByDomain(queries[i], i % 2 == 0 ? kZone : kHostname);
  }
}

enum class PodEvent { kAdd, kRemove };

// Counting selects the counts that the cache keeps in addition to resources.
struct Counting {
  size_t counts = 0;    // queries that match each pod, by zone or by hostname in turn
  size_t terms = 0;     // distinct terms of the placed pods and of the added pods
  bool claims = false;  // each added pod has a PersistentVolumeClaim bound to a volume of its own
};

scheduler::PodQuery QueryAt(size_t index) {
  const std::string other = fmt::format("other-{}", index);
  api::Selector labels = api::Selector::FromMap({{"tier", "frontend"}});
  labels.Add({.key = "app", .op = api::Requirement::Operator::kNotIn, .values = {other}});
  return {.all_of = {{.namespaces = {"shop"}, .labels = labels}}, .with_terminating = false};
}

// Returns the pod with a PersistentVolumeClaim. Adds the claim and its volume to the cache.
std::shared_ptr<const api::Pod> Claiming(const api::Pod& pod, scheduler::Cache& cache) {
  auto volume = std::make_shared<api::PersistentVolume>();
  volume->metadata.name = "volume-of-" + pod.metadata.name;
  volume->metadata.uid = volume->metadata.name;
  volume->spec.csi = api::CsiPersistentVolumeSource{"disk.csi.example.com", pod.metadata.uid};
  auto claim = std::make_shared<api::PersistentVolumeClaim>();
  claim->metadata.name = "claim-of-" + pod.metadata.name;
  claim->metadata.namespace_ = pod.metadata.namespace_;
  claim->metadata.uid = claim->metadata.name;
  claim->spec.volume_name = volume->metadata.name;
  auto claiming = std::make_shared<api::Pod>(pod);
  claiming->spec.volumes.emplace_back().persistent_volume_claim.Edit().claim_name =
      claim->metadata.name;
  cache.PutVolumeObject<api::PersistentVolume>(volume);
  cache.PutVolumeObject<api::PersistentVolumeClaim>(claim);
  return claiming;
}

// PodEvents adds running pods and removes them again; one of the two is measured.
class PodEvents final : public LoadedCache {
 public:
  PodEvents(const Scale& scale, PodEvent measured, const Counting& counting)
      : LoadedCache(scale), measured_(measured) {
    for (size_t i = 0; i < counting.counts; ++i) queries_.push_back(QueryAt(i));
    for (size_t i = 0; i < counting.terms; ++i) {
      cache_.AddPod(*MakePod(2 * kFirstFreeSerial + i, ApartShape(i), NodeName(i % nodes_)));
    }
    for (size_t i = 0; i < scale.round; ++i) {
      const PodShape shape = counting.terms > 0 ? ApartShape(i % counting.terms) : ShapeAt(i % 64);
      const auto pod = MakePod(kFirstFreeSerial + i, shape, NodeName(Mix(i) % nodes_));
      pods_.push_back(counting.claims ? Claiming(*pod, cache_) : pod);
    }
  }

  size_t Operations() const override { return pods_.size(); }
  void Round(Meter& meter) override {
    AskFor(cache_, queries_);
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
  std::vector<scheduler::PodQuery> queries_;
  std::vector<std::shared_ptr<const api::Pod>> pods_;
};

// CountQuestions queries counts that the cache keeps.
class CountQuestions final : public LoadedCache {
 public:
  explicit CountQuestions(const Scale& scale) : LoadedCache(scale), questions_(scale.round) {
    for (size_t i = 0; i < 10; ++i) {
      queries_.push_back(QueryAt(i));
      cache_.Pods().ByDomain(queries_.back(), kHostname);
    }
  }

  size_t Operations() const override { return questions_; }
  void Round(Meter& meter) override {
    const Measured measured(meter);
    for (size_t i = 0; i < questions_; ++i) {
      Keep(cache_.Pods().ByDomain(queries_[i % queries_.size()], kHostname));
    }
  }

 private:
  size_t questions_;
  std::vector<scheduler::PodQuery> queries_;
};

// NodeEvents changes one node after the other; the next round reverts the changes.
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

constexpr char kDefaultNamespace[] = "default";

// NamespaceEvents relabels one namespace after the other; the next round reverts the changes.
class NamespaceEvents final : public LoadedCache {
 public:
  explicit NamespaceEvents(const Scale& scale) : LoadedCache(scale) {
    for (size_t i = 0; i < scale.round; ++i) {
      api::Namespace made;
      made.metadata.name = fmt::format("team-{}", i);
      made.metadata.uid = fmt::format("9c1a3ba4-2c1a-4a4f-9f05-{:012}", i);
      made.metadata.labels = {{"kubernetes.io/metadata.name", made.metadata.name},
                              {"pod-security.kubernetes.io/enforce", "baseline"},
                              {"team", fmt::format("t{}", i % 50)}};
      original_.push_back(made);
      made.metadata.labels["team"] = "moved";
      changed_.push_back(std::move(made));
    }
    for (const api::Namespace& each : original_) cache_.Put(each);
  }

  size_t Operations() const override { return original_.size(); }
  void Round(Meter& meter) override {
    const Measured measured(meter);
    is_changed_ = !is_changed_;
    for (const api::Namespace& each : is_changed_ ? changed_ : original_) cache_.Put(each);
  }

 private:
  std::vector<api::Namespace> original_, changed_;
  bool is_changed_ = false;
};

// The selectors that match the pods: none, or a Service and an owner.
enum class Kin { kNone, kSelected };

// DefaultSelectors computes the default selector of pods in a namespace with 1,000 Services. Each
// Service selects by a label that all pods of the namespace have, and by a label of its own.
class DefaultSelectors final : public LoadedCache {
 public:
  DefaultSelectors(const Scale& scale, Kin kin) : LoadedCache(scale) {
    for (size_t i = 0; i < kServices; ++i) {
      cache_.Put(ServiceOf(i));
      cache_.Put(SetOf(i));
    }
    for (size_t i = 0; i < scale.round; ++i) pods_.push_back(PodOf(i, kin));
  }

  size_t Operations() const override { return pods_.size(); }
  void Round(Meter& meter) override {
    const Measured measured(meter);
    for (const auto& pod : pods_) Keep(cache_.DefaultSelector(*pod));
  }

 private:
  static constexpr size_t kServices = 1000;
  static std::string App(size_t i) { return fmt::format("app-{}", i); }

  static api::Service ServiceOf(size_t i) {
    api::Service service;
    service.metadata.namespace_ = kDefaultNamespace;
    service.metadata.name = App(i);
    service.metadata.uid = fmt::format("7e2b3ba4-2c1a-4a4f-9f05-{:012}", i);
    service.spec.selector = {{"app.kubernetes.io/name", App(i)},
                             {"app.kubernetes.io/part-of", "shop"}};
    return service;
  }

  static api::ReplicaSet SetOf(size_t i) {
    api::ReplicaSet set;
    set.metadata.namespace_ = kDefaultNamespace;
    set.metadata.name = App(i);
    set.metadata.uid = fmt::format("3d5b3ba4-2c1a-4a4f-9f05-{:012}", i);
    set.spec.selector = api::LabelSelector{
        {{"app.kubernetes.io/name", App(i)}, {"pod-template-hash", fmt::format("{:010}", i)}}, {}};
    return set;
  }

  std::shared_ptr<const scheduler::PendingPod> PodOf(size_t serial, Kin kin) {
    api::Pod pod = *MakePod(kFirstFreeSerial + serial, PlainShape());
    pod.metadata.namespace_ = kDefaultNamespace;
    pod.metadata.owner_references.clear();
    pod.metadata.labels = {{"app.kubernetes.io/name", "other"},
                           {"app.kubernetes.io/part-of", "shop"}};
    if (kin == Kin::kSelected) {
      const size_t i = serial % kServices;
      pod.metadata.labels["app.kubernetes.io/name"] = App(i);
      pod.metadata.labels["pod-template-hash"] = fmt::format("{:010}", i);
      pod.metadata.owner_references = {{.api_version = "apps/v1",
                                        .kind = "ReplicaSet",
                                        .name = App(i),
                                        .uid = {},
                                        .controller = true,
                                        .block_owner_deletion = true}};
    }
    return scheduler::PendingPod::Create(std::make_shared<const api::Pod>(std::move(pod)), words_);
  }

  std::vector<std::shared_ptr<const scheduler::PendingPod>> pods_;
};

Case Selectors(std::string_view name, const Scale& scale, Kin kin) {
  return {fmt::format("cache/default_selector{}/services:1000", name),
          [scale, kin] { return std::make_unique<DefaultSelectors>(scale, kin); }};
}

// Reprieves simulates a full node without its pods, then adds the pods back one at a time and reads
// the free resources after each, like preemption when it selects victims. An operation is one pod.
class Reprieves final : public Workload {
 public:
  Reprieves() {
    cache_.AddNode(MakeNode(0));
    for (size_t i = 0; i < kPods; ++i) {
      cache_.AddPod(*MakePod(kFirstFreeSerial + i, ShapeAt(i % 64), NodeName(0)));
    }
  }

  size_t Operations() const override { return kPods; }
  void Round(Meter& meter) override {
    const scheduler::NodeInfo& node = cache_.At(cache_.Find(NodeName(0)));
    const Measured measured(meter);
    scheduler::NodeDelta delta(node);
    for (const auto& pod : node.pods) delta.Remove(*pod);
    const scheduler::NodeView view = cache_.View(node.slot, &delta);
    for (const auto& pod : node.pods) {
      delta.Restore(*pod);
      Keep(view.Requested(scheduler::ResourceColumns::kMilliCpu));
      Keep(view.Requested(scheduler::ResourceColumns::kMemory));
      Keep(view.Requested(scheduler::ResourceColumns::kEphemeralStorage));
      Keep(view.Requested(scheduler::ResourceColumns::kPods));
      size_t left = 0;
      view.ForEachPod([&left](const scheduler::PodInfo&) { ++left; });
      Keep(left);
    }
  }

 private:
  static constexpr size_t kPods = 110;

  scheduler::Vocabulary words_;
  scheduler::Cache cache_{words_};
};

Case Pods(std::string_view name, const Scale& scale, PodEvent measured,
          const Counting& counting = {}) {
  return {fmt::format("cache/{}/nodes:{}", name, scale.nodes), [scale, measured, counting] {
            return std::make_unique<PodEvents>(scale, measured, counting);
          }};
}

Case Nodes(std::string_view name, const Scale& scale, const NodeChange& change) {
  return {fmt::format("cache/{}/nodes:{}", name, scale.nodes),
          [scale, change] { return std::make_unique<NodeEvents>(scale, change); }};
}

}  // namespace

std::vector<Case> CacheCases(const Scale& scale) {
  return {Pods("add_pod", scale, PodEvent::kAdd),
          Pods("remove_pod", scale, PodEvent::kRemove),
          Pods("add_pod_with_10_counts", scale, PodEvent::kAdd, {.counts = 10}),
          Pods("remove_pod_with_10_counts", scale, PodEvent::kRemove, {.counts = 10}),
          Pods("add_pod_with_100_counts", scale, PodEvent::kAdd, {.counts = 100}),
          Pods("remove_pod_with_100_counts", scale, PodEvent::kRemove, {.counts = 100}),
          Pods("add_pod_with_1000_terms", scale, PodEvent::kAdd, {.terms = 1000}),
          Pods("remove_pod_with_1000_terms", scale, PodEvent::kRemove, {.terms = 1000}),
          Pods("add_pod_with_claim", scale, PodEvent::kAdd, {.claims = true}),
          Pods("remove_pod_with_claim", scale, PodEvent::kRemove, {.claims = true}),
          {fmt::format("cache/ask_for_count/nodes:{}", scale.nodes),
           [scale] { return std::make_unique<CountQuestions>(scale); }},
          {"cache/reprieve/pods:110", [] { return std::make_unique<Reprieves>(); }},
          Nodes("update_node_heartbeat", scale, {.heartbeat = 5}),
          Nodes("update_node_label", scale, {.revision = 1}),
          Nodes("update_node_allocatable", scale, {.cpu_taken = 1}),
          {"cache/update_namespace_label",
           [scale] { return std::make_unique<NamespaceEvents>(scale); }},
          Selectors("", scale, Kin::kSelected),
          Selectors("_of_nothing", scale, Kin::kNone)};
}

}  // namespace berth::bench
