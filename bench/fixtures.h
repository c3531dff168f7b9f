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

// Serial numbers below this belong to the pods that MakeCluster places, those from it on to
// whatever a workload adds.
inline constexpr size_t kFirstFreeSerial = 10'000'000;

inline const std::string kHostname = "kubernetes.io/hostname";
inline const std::string kZone = "topology.kubernetes.io/zone";

// PlainShape is the pod of a simple web server: 100m of CPU, 128Mi, nothing else that a plugin
// reads but an image that all nodes have.
PodShape PlainShape();

// ShapeAt is one of 1,000,000 shapes, no two alike. They differ in requests, labels and image; of
// each 16, one selects a zone by nodeSelector, one a disk by required affinity, one prefers a pool
// and one tolerates the taint of dedicated nodes.
PodShape ShapeAt(size_t index);

// ApartShape is one of 60,000 shapes that have an affinity term of their own: away from their like.
PodShape ApartShape(size_t index);

// TemplateShape is the shape of pod `i` of `pods`, which are of 2,000 templates in the order of a
// list. With terms, every second template has an affinity term.
enum class Terms { kNone, kOfHalf };
PodShape TemplateShape(size_t i, size_t pods, Terms terms);

// HugeShape asks for more CPU than any node has.
PodShape HugeShape();

// DecodeFixture makes an object as an informer does.
template <class T>
std::shared_ptr<const T> DecodeFixture(const std::string& text) {
  auto decoded = json::Decode<T>(text);
  BERTH_CHECK(decoded.has_value(), decoded.error().message());
  return std::make_shared<const T>(std::move(*decoded));
}

// MakeNode and MakePod decode the text of object_text.h.
std::shared_ptr<const api::Node> MakeNode(size_t index, const NodeChange& change = {});
std::shared_ptr<const api::Pod> MakePod(size_t serial, const PodShape& shape,
                                        std::string_view node = {});

// ClusterObjects is a cluster at rest.
struct ClusterObjects {
  std::vector<std::shared_ptr<const api::Node>> nodes;
  std::vector<std::shared_ptr<const api::Pod>> pods;  // running
};

// MakeCluster makes nodes that hold from none to twice `pods_per_node` pods of mixed shapes, so
// that their scores differ.
ClusterObjects MakeCluster(size_t nodes, size_t pods_per_node);

// InstantApi is an API server that agrees to everything before the call returns.
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
  void BindVolume(const api::PersistentVolume& assumed, Done done) override {
    volumes.push_back(assumed);
    done({});
  }
  void SelectNode(const api::PersistentVolumeClaim&, Done done) override { done({}); }
  void RecordEvent(const api::ObjectReference&, scheduler::ObjectEvent) override {}

  std::vector<Binding> bindings;               // in the order of the calls
  std::vector<api::PersistentVolume> volumes;  // likewise, with the claims they were given
};

// HalfNodeShape asks for more than half of the CPU of the largest nodes, a third of all: each that
// takes such a pod is full for the next one.
PodShape HalfNodeShape();

// DefaultProfile is the profile of a configuration that says nothing, but with all nodes looked at.
std::shared_ptr<const scheduler::Profile> DefaultProfile(const scheduler::PluginHandle& handle);

// ProfileWithCoscheduling is that profile with Coscheduling, which sorts the queue, too.
std::shared_ptr<const scheduler::Profile> ProfileWithCoscheduling(
    const scheduler::PluginHandle& handle);

// ProfileWithFilterWithoutKey is the default profile with one more filter, which refuses half of the
// nodes. It has no ResultKey, as one whose answers depend on the pods of many nodes.
std::shared_ptr<const scheduler::Profile> ProfileWithFilterWithoutKey(
    const scheduler::PluginHandle& handle);

// NodeRule is a rule for all pods: a plugin and its arguments, JSON.
struct NodeRule {
  std::string plugin;
  std::string args;
};

// ProfileWithRule is the default profile with that rule; alone, with no other filter and no other
// score, so that what the rule costs is not hidden by what they do.
enum class Company : uint8_t { kDefaultPlugins, kNone };
std::shared_ptr<const scheduler::Profile> ProfileWithRule(const NodeRule& rule, Company company,
                                                          const scheduler::PluginHandle& handle);

}  // namespace berth::bench
