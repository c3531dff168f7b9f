// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/fake_clock.h"
#include "bench/fixtures.h"
#include "bench/workload.h"
#include "scheduler/cache/cache.h"
#include "scheduler/framework/algorithm.h"
#include "scheduler/queue/nominator.h"

namespace berth::bench {

enum class NodeEvent { kNone, kLabel, kAllocatable, kImage };

// PlacedPods are pods that run there besides: number i is of shape_of(i) and on node_of(i).
struct PlacedPods {
  size_t count = 0;
  std::function<PodShape(size_t)> shape_of;
  std::function<size_t(size_t)> node_of;
};

// DecisionOptions is a cluster and a stream of pods.
struct DecisionOptions {
  size_t nodes = 5000;
  size_t pods_per_node = 4;                    // that run there already, on average
  std::vector<PodShape> shapes{PlainShape()};  // one after the other, then again from the first
  size_t round = 1000;                         // decisions
  bool result_cache = true;
  bool filter_without_key = false;             // ProfileWithFilterWithoutKey
  std::optional<NodeRule> rule;                // ProfileWithRule; else the default profile
  Company company = Company::kDefaultPlugins;  // of the rule
  NodeEvent event = NodeEvent::kNone;          // what happens to one node before each decision
  std::vector<PlacedPods> placed;
  bool owners = false;         // the ReplicaSets of the shapes are known: spreading is by them
  size_t nominated_nodes = 0;  // that have a nominated pod of higher priority
};

// DecisionWork makes decisions: SchedulePod, then Assume on the chosen node; for a pod that fits
// nowhere, SchedulePod and the message that says why. All nodes are looked at.
//
// Between rounds, unmeasured, the placed pods are taken back, so that the cluster does not fill up,
// and a decision for each of up to kSettling shapes brings kept answers up to date, as they would
// be had the pods not vanished.
class DecisionWork final : public Workload {
 public:
  explicit DecisionWork(DecisionOptions options);

  size_t Operations() const override { return options_.round; }
  void Round(Meter& meter) override;

 private:
  static constexpr size_t kSettling = 64;

  void PlacePods();
  void KnowOwners();
  void NominatePods();
  void MakeChangedNodes();
  void TakeBackPods();
  void Happen();
  void Decide();
  const scheduler::PendingPod& NextPod();

  const DecisionOptions options_;
  FakeClock clock_;
  InstantApi api_;
  scheduler::Vocabulary words_;
  scheduler::Cache cache_{words_};
  scheduler::Nominator nominator_;
  scheduler::ResultCache result_cache_;
  std::shared_ptr<const scheduler::Profile> profile_;
  size_t start_ = 0;

  std::vector<std::shared_ptr<const scheduler::PendingPod>> pods_;
  size_t next_pod_ = 0;
  std::vector<std::string> placed_;  // uids

  // The states that a node changes between, for some nodes.
  struct TwoStates {
    std::shared_ptr<const api::Node> changed, original;
  };
  std::vector<TwoStates> changing_nodes_;
  size_t next_event_ = 0;
};

}  // namespace berth::bench
