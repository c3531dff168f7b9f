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

// Facts are what the made-up plugins read besides the cluster.
struct Facts {
  int dial = 0;  // no epoch tells of its changes
};

// World is a cluster that random changes walk through: pods and nodes come, change and go, by
// decision and by hand, and pods are nominated. It holds about the nodes it began with. The same
// choices of `random` make the same walk.
class World {
 public:
  // `shapes`: how many kinds of pods come again and again; besides them there are unique ones.
  World(Random& random, size_t nodes, size_t shapes);

  const Snapshot& snapshot() { return cluster_.snapshot(); }
  const Nominator& nominator() const { return nominator_; }
  PluginHandle handle() {
    PluginHandle handle = cluster_.handle();
    handle.metrics = &metrics_;
    return handle;
  }
  const Facts& facts() const { return facts_; }

  // Change makes one random change to the cluster.
  void Change();
  // NextPod is a pod to decide about: a new one, or one that found no place before.
  std::shared_ptr<const PendingPod> NextPod();
  // Take carries a decision out: the pod is assumed on `node`, or, with no node, waits.
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
  void ReplaceNode();  // by another machine of the same name
  void Redraw(NodePart part);
  void Cordon();
  void Heartbeat();
  void PutNode(size_t i, std::shared_ptr<const api::Node> node);
  size_t AnyNode();  // an index of one that is there

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
  std::vector<std::shared_ptr<const api::Node>> nodes_;  // by number of the name; null: gone
  std::vector<Placed> placed_;
  std::vector<std::shared_ptr<const PendingPod>> pending_;
  std::vector<std::string> nominated_;  // UIDs
  size_t node_count_ = 0;
  uint64_t made_ = 0;
};

}  // namespace berth::scheduler::testing
