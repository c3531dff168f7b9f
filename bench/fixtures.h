// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "api/node.h"
#include "api/pod.h"
#include "base/check.h"
#include "base/json/json.h"
#include "bench/object_text.h"
#include "scheduler/framework/ports.h"
#include "scheduler/framework/profile.h"

namespace berth::bench {

// MakeCluster uses serial numbers below this one. Workloads use this one and above for the pods
// that they add.
inline constexpr size_t kFirstFreeSerial = 10'000'000;

inline const std::string kHostname = "kubernetes.io/hostname";
inline const std::string kZone = "topology.kubernetes.io/zone";

// Returns the pod of a simple web server: 100m of CPU, 128Mi of memory. Plugins read nothing else
// of it but an image that all nodes have.
PodShape PlainShape();

// Returns one of 1,000,000 different shapes. They differ in requests, labels and image. Of each 16,
// one selects a zone by nodeSelector, one selects a disk by required affinity, one prefers a pool
// and one tolerates the taint of dedicated nodes.
PodShape ShapeAt(size_t index);

// Returns one of 60,000 shapes. Each has an anti-affinity term against pods of its own shape.
PodShape ApartShape(size_t index);

// Returns the shape of pod `i` of `pods`. The pods belong to 2,000 templates and come in list
// order. With terms, every second template has an affinity term.
enum class Terms { kNone, kOfHalf };
PodShape TemplateShape(size_t i, size_t pods, Terms terms);

// Returns a shape that requests more CPU than any node has.
PodShape HugeShape();

// Decodes an object as an informer does.
template <class T>
std::shared_ptr<const T> DecodeFixture(const std::string& text) {
  auto decoded = json::Decode<T>(text);
  BERTH_CHECK(decoded.has_value(), decoded.error().message());
  return std::make_shared<const T>(std::move(*decoded));
}

// Decode the text of object_text.h.
std::shared_ptr<const api::Node> MakeNode(size_t index, const NodeChange& change = {});
std::shared_ptr<const api::Pod> MakePod(size_t serial, const PodShape& shape,
                                        std::string_view node = {});

// ClusterObjects holds the objects of an idle cluster.
struct ClusterObjects {
  std::vector<std::shared_ptr<const api::Node>> nodes;
  std::vector<std::shared_ptr<const api::Pod>> pods;  // running
};

// Returns nodes that hold between zero and twice `pods_per_node` pods of mixed shapes, so that
// their scores differ.
ClusterObjects MakeCluster(size_t nodes, size_t pods_per_node);

// InstantApi is an API server that completes every call successfully before it returns.
class InstantApi : public scheduler::ApiPort {
 public:
  struct Binding {
    std::string uid;
    std::string node;
  };

  void Bind(const scheduler::PodRef& pod, const std::string& node, Done done) override {
    bindings.push_back({pod.uid, node});
    done({});
  }
  void PatchPodStatus(const scheduler::PodRef&, scheduler::PodStatusPatch, Done done) override {
    done({});
  }
  void MarkVictim(const scheduler::PodRef&, api::PodCondition, Done done) override { done({}); }
  void DeletePod(const scheduler::PodRef&, Done done) override { done({}); }
  void EvictPod(const scheduler::PodRef&, Done done) override { done({}); }
  void ReadPod(const scheduler::PodRef&, PodDone done) override {
    done(Fail(Reason::kNotFound, "no pod is stored"));
  }
  void BindVolume(const api::PersistentVolume& assumed, Done done) override {
    volumes.push_back(assumed);
    done({});
  }
  void SelectNode(const api::PersistentVolumeClaim&, Done done) override { done({}); }
  void PatchGroupCondition(const api::ObjectReference&, api::Condition, Done done) override {
    done({});
  }
  void RecordEvent(const api::ObjectReference&, scheduler::ObjectEvent) override {}

  std::vector<Binding> bindings;               // in the order of the calls
  std::vector<api::PersistentVolume> volumes;  // in the order of the calls, with their claims
};

// Returns a shape that requests more than half of the CPU of the largest nodes, which are a third
// of all nodes. A node that takes one such pod is full for the next one.
PodShape HalfNodeShape();

// Returns the profile of an empty configuration, with percentageOfNodesToScore 100.
std::shared_ptr<const scheduler::Profile> DefaultProfile(const scheduler::PluginHandle& handle);

// Returns the default profile plus Coscheduling, which also sorts the queue.
std::shared_ptr<const scheduler::Profile> ProfileWithCoscheduling(
    const scheduler::PluginHandle& handle);

// Returns the default profile plus a filter that rejects half of the nodes. The filter has no
// ResultKey, because such a filter may depend on the pods of many nodes.
std::shared_ptr<const scheduler::Profile> ProfileWithFilterWithoutKey(
    const scheduler::PluginHandle& handle);

// NodeRule is a rule for all pods: a plugin and its arguments as JSON.
struct NodeRule {
  std::string plugin;
  std::string args;
};

// Returns the default profile with the rule. Without company, the profile has no other filter and
// no other score plugin, so that they do not hide the cost of the rule.
enum class Company : uint8_t { kDefaultPlugins, kNone };
std::shared_ptr<const scheduler::Profile> ProfileWithRule(const NodeRule& rule, Company company,
                                                          const scheduler::PluginHandle& handle);

}  // namespace berth::bench
