// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "scheduler/queue/nominator.h"
#include "tests/scheduler/reuse/random_volumes.h"
#include "tests/scheduler/testing/fixed_metrics.h"
#include "tests/scheduler/testing/random.h"
#include "tests/scheduler/testing/test_cluster.h"

namespace berth::scheduler::testing {

// Facts are inputs of the scripted plugins besides the cluster.
struct Facts {
  int dial = 0;  // its changes move no epoch
};

// World is a cluster that changes at random: pods and nodes are added, changed and removed, by
// decision and directly, and pods are nominated. The number of nodes stays about constant. Equal
// choices of `random` give equal walks.
class World {
 public:
  // `shapes` is the number of recurring pod shapes; besides them there are unique pods.
  World(Random& random, size_t nodes, size_t shapes);

  const Snapshot& snapshot() { return cluster_.snapshot(); }
  const Nominator& nominator() const { return nominator_; }
  PluginHandle handle() {
    PluginHandle handle = cluster_.handle();
    handle.metrics = &metrics_;
    return handle;
  }
  const Facts& facts() const { return facts_; }

  // Makes one random change to the cluster.
  void Change();
  // Returns a pod to schedule: a new one, or one that found no node before.
  std::shared_ptr<const PendingPod> NextPod();
  std::shared_ptr<const PendingPod> InfoOf(const std::shared_ptr<const api::Pod>& pod) {
    return PendingPod::Create(pod, cluster_.words());
  }
  // Applies a decision: assumes the pod on `node`, or keeps it pending if `node` is empty.
  void Take(const std::shared_ptr<const PendingPod>& pod, const std::string& node);

 private:
  struct Placed {
    std::shared_ptr<const api::Pod> pod;  // with spec.nodeName
    bool is_assumed;
  };
  using NodePart = void (*)(Random&, api::Node&);

  PodBuilder NewPod();
  std::shared_ptr<const PendingPod> InfoOf(const PodBuilder& pod) {
    return pod.Info(cluster_.words());
  }

  // Changes of pods.
  void AddPod();
  void UpdatePod();
  void RemovePods();
  void Confirm();
  void Forget();
  void RemovePlaced(size_t i);

  // Changes of nodes.
  void AddNode();
  void RemoveNode();
  void ReplaceNode();  // by another machine with the same name
  void Redraw(NodePart part);
  void Cordon();
  void Heartbeat();
  void PutNode(size_t i, std::shared_ptr<const api::Node> node);
  size_t AnyNode();  // an index of a present node

  void Nominate();
  void ClearNomination();
  void ChangeNamespace();
  void ReportTraffic();
  void ChangeWorkload();  // a Service or a ReplicaSet

  Random& random_;
  const size_t shapes_;
  TestCluster cluster_;
  FixedMetrics metrics_;
  RandomVolumes volumes_{cluster_.cache()};
  Nominator nominator_;
  Facts facts_;
  std::vector<std::shared_ptr<const api::Node>> nodes_;  // by number of the name; null: removed
  std::vector<Placed> placed_;
  std::vector<std::shared_ptr<const PendingPod>> pending_;
  std::vector<std::string> nominated_;  // UIDs
  size_t node_count_ = 0;
  uint64_t made_ = 0;
};

}  // namespace berth::scheduler::testing
