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

// Parses "cpu=2,memory=1Gi". An invalid list of quantities ends the test program.
api::ResourceList ResourcesOf(std::string_view text);
// The number of extended resources that fit into a pod of about 1.5 MB, the limit of etcd.
inline constexpr size_t kMostScalars = 20'000;
// Returns "example.com/r0=1,example.com/r1=1" and so on, kMostScalars resources.
std::string MostScalars();

// Returns one requirement of a node selector.
api::NodeSelectorRequirement Where(std::string key, std::string op,
                                   std::vector<std::string> values = {});
// Return a term with label requirements, and one with requirements on metadata.name.
api::NodeSelectorTerm Labels(std::vector<api::NodeSelectorRequirement> expressions);
api::NodeSelectorTerm NodeNames(std::vector<api::NodeSelectorRequirement> fields);

// Returns an affinity term for the pods with this label in the namespace of the term's pod.
api::PodAffinityTerm PodsWith(std::string key, std::string value, std::string topology_key);
// Returns a constraint for such pods: SpreadBy("zone", 1, "DoNotSchedule", "app", "web").
api::TopologySpreadConstraint SpreadBy(std::string topology_key, int32_t max_skew,
                                       std::string when_unsatisfiable, std::string key,
                                       std::string value);

// PodBuilder builds a pod, beginning with "default/NAME" with UID "uid-NAME". Without a container,
// it requests no resources.
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
  // Sets a deletion timestamp equal to the start of FakeClock's time.
  PodBuilder& Terminating();
  PodBuilder& ControlledBy(std::string api_version, std::string kind, std::string name);

  // Each of these functions adds a container with that request.
  PodBuilder& Requests(std::string_view resources);
  PodBuilder& InitContainer(std::string_view resources);
  PodBuilder& Sidecar(std::string_view resources);
  PodBuilder& PodLevel(std::string_view resources);
  PodBuilder& Overhead(std::string_view resources);
  // Reports the resources of the last container, like a kubelet during an in-place resize.
  PodBuilder& InPlace(std::string_view actual, std::string_view allocated);
  PodBuilder& ResizeInfeasible();

  PodBuilder& HostPort(int32_t port, std::string protocol = "", std::string ip = "");
  PodBuilder& SidecarHostPort(int32_t port);
  PodBuilder& InitHostPort(int32_t port);

  // A toleration without a value tolerates all values (Exists).
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
  // Returns the pod as the cache stores it when the API server reports its node.
  std::shared_ptr<const PodInfo> Placed(Vocabulary& words) const {
    return PodInfo::Placed(pod_, words);
  }
  api::Pod& raw() { return pod_; }  // for fields without a function

 private:
  api::Container& AddContainer(std::vector<api::Container>& list, std::string_view resources);
  api::NodeAffinity& NodeAffinity();

  api::Pod pod_;
};

// NodeBuilder builds a node, beginning with a ready node with UID "uid-NAME" and room for 110 pods.
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

// The other objects that plugins read, with UID "uid-NAME". Controllers and Services are in
// namespace "default".
api::Namespace MakeNamespace(std::string name, api::StringMap labels = {});
api::Service MakeService(std::string name, api::StringMap selector);
api::ReplicationController MakeReplicationController(std::string name, api::StringMap selector);
api::ReplicaSet MakeReplicaSet(std::string name, std::optional<api::LabelSelector> selector);
api::StatefulSet MakeStatefulSet(std::string name, std::optional<api::LabelSelector> selector);

// Returns the pod as a queued pod that was added to the queue at that second.
inline QueuedPod Queued(const PodBuilder& pod, Vocabulary& words, int second) {
  QueuedPod queued;
  queued.pod = pod.Info(words);
  queued.timestamp = SteadyTime(std::chrono::seconds(second));
  return queued;
}

}  // namespace berth::scheduler::testing
