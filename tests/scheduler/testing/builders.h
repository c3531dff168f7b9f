// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/apps.h"
#include "api/core.h"
#include "api/node.h"
#include "api/pod.h"
#include "scheduler/framework/queued_pod.h"
#include "scheduler/model/pod_info.h"

// Builders of pods and nodes for tests:
// MakePod("a").Requests("cpu=2,memory=1Gi").Toleration("gpu").
namespace berth::scheduler::testing {

// ResourcesOf reads "cpu=2,memory=1Gi". Text that is no list of quantities ends the test program.
api::ResourceList ResourcesOf(std::string_view text);

// Where is one requirement of a node selector.
api::NodeSelectorRequirement Where(std::string key, std::string op,
                                   std::vector<std::string> values = {});
// Labels is a term about labels, NodeNames one about metadata.name.
api::NodeSelectorTerm Labels(std::vector<api::NodeSelectorRequirement> expressions);
api::NodeSelectorTerm NodeNames(std::vector<api::NodeSelectorRequirement> fields);

// PodsWith is an affinity term about the pods of the owner's namespace that have this label.
api::PodAffinityTerm PodsWith(std::string key, std::string value, std::string topology_key);
// SpreadBy is a constraint about them: SpreadBy("zone", 1, "DoNotSchedule", "app", "web").
api::TopologySpreadConstraint SpreadBy(std::string topology_key, int32_t max_skew,
                                       std::string when_unsatisfiable, std::string key,
                                       std::string value);

// PodBuilder starts from a pod "default/NAME" with UID "uid-NAME", for which each call adds
// something. Without a container, it requests nothing.
class PodBuilder {
 public:
  explicit PodBuilder(std::string name);

  PodBuilder& Namespace(std::string name);
  PodBuilder& Uid(std::string uid);
  PodBuilder& Scheduler(std::string name);
  PodBuilder& Priority(int32_t priority);
  PodBuilder& Label(std::string key, std::string value);
  PodBuilder& OnNode(std::string node);
  PodBuilder& Nominated(std::string node);
  // Terminating is a pod that is to be gone at the beginning of FakeClock's time.
  PodBuilder& Terminating();
  PodBuilder& ControlledBy(std::string api_version, std::string kind, std::string name);

  // Each of these adds a container with that request.
  PodBuilder& Requests(std::string_view resources);
  PodBuilder& InitContainer(std::string_view resources);
  PodBuilder& Sidecar(std::string_view resources);
  PodBuilder& PodLevel(std::string_view resources);
  PodBuilder& Overhead(std::string_view resources);
  // InPlace reports what the container made last holds, as a kubelet does while it resizes it.
  PodBuilder& InPlace(std::string_view actual, std::string_view allocated);
  PodBuilder& ResizeInfeasible();

  PodBuilder& HostPort(int32_t port, std::string protocol = "", std::string ip = "");
  PodBuilder& SidecarHostPort(int32_t port);
  PodBuilder& InitHostPort(int32_t port);

  // Toleration without a value tolerates any (Exists).
  PodBuilder& Toleration(std::string key, std::string value = "", std::string effect = "");
  PodBuilder& Toleration(api::Toleration toleration);
  PodBuilder& NodeSelector(std::string key, std::string value);
  PodBuilder& RequiredNodeTerm(api::NodeSelectorTerm term);
  PodBuilder& EmptyRequiredAffinity();
  PodBuilder& PreferredNodeTerm(int32_t weight, api::NodeSelectorTerm term);
  PodBuilder& Affinity(api::PodAffinityTerm term);
  PodBuilder& AntiAffinity(api::PodAffinityTerm term);
  PodBuilder& PreferredAffinity(int32_t weight, api::PodAffinityTerm term);
  PodBuilder& PreferredAntiAffinity(int32_t weight, api::PodAffinityTerm term);
  PodBuilder& Spread(api::TopologySpreadConstraint constraint);
  PodBuilder& Gate(std::string name);

  std::shared_ptr<const api::Pod> Build() const { return std::make_shared<const api::Pod>(pod_); }
  std::shared_ptr<const PendingPod> Info(Vocabulary& words) const {
    return PendingPod::Create(Build(), words);
  }
  // Placed is the pod as the cache keeps it once the API server shows it on its node.
  std::shared_ptr<const PodInfo> Placed(Vocabulary& words) const {
    return PodInfo::Placed(pod_, words);
  }
  api::Pod& raw() { return pod_; }  // for what no call covers

 private:
  api::Container& AddContainer(std::vector<api::Container>& list, std::string_view resources);
  api::NodeAffinity& NodeAffinity();

  api::Pod pod_;
};

// NodeBuilder starts from a ready node with UID "uid-NAME" and room for 110 pods.
class NodeBuilder {
 public:
  explicit NodeBuilder(std::string name);

  NodeBuilder& Uid(std::string uid);
  NodeBuilder& Allocatable(std::string_view resources);
  NodeBuilder& Label(std::string key, std::string value);
  NodeBuilder& Taint(std::string key, std::string value = "", std::string effect = "NoSchedule");
  NodeBuilder& Unschedulable();
  NodeBuilder& Address(std::string type, std::string address);

  std::shared_ptr<const api::Node> Build() const {
    return std::make_shared<const api::Node>(node_);
  }
  api::Node& raw() { return node_; }

 private:
  api::Node node_;
};

inline PodBuilder MakePod(std::string name) { return PodBuilder(std::move(name)); }
inline NodeBuilder MakeNode(std::string name) { return NodeBuilder(std::move(name)); }

// The objects that plugins read besides, with UID "uid-NAME". The namespace of an owner or a Service
// is "default".
api::Namespace MakeNamespace(std::string name, api::StringMap labels = {});
api::Service MakeService(std::string name, api::StringMap selector);
api::ReplicationController MakeReplicationController(std::string name, api::StringMap selector);
api::ReplicaSet MakeReplicaSet(std::string name, std::optional<api::LabelSelector> selector);
api::StatefulSet MakeStatefulSet(std::string name, std::optional<api::LabelSelector> selector);

// Queued is the pod as it waits; it came into the queue at that second.
inline QueuedPod Queued(const PodBuilder& pod, Vocabulary& words, int second) {
  QueuedPod queued;
  queued.pod = pod.Info(words);
  queued.timestamp = SteadyTime(std::chrono::seconds(second));
  return queued;
}

}  // namespace berth::scheduler::testing
