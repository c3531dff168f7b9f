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

// PlacedPods are additional running pods: pod number i has shape_of(i) and runs on node_of(i).
struct PlacedPods {
  size_t count = 0;
  std::function<PodShape(size_t)> shape_of;
  std::function<size_t(size_t)> node_of;
};

// DecisionOptions describes a cluster and a stream of pods.
struct DecisionOptions {
  size_t nodes = 5000;
  size_t pods_per_node = 4;                    // running pods, on average
  std::vector<PodShape> shapes{PlainShape()};  // used in turn, then again from the first
  size_t round = 1000;                         // decisions
  bool result_cache = true;
  bool filter_without_key = false;             // ProfileWithFilterWithoutKey
  std::optional<NodeRule> rule;                // ProfileWithRule; else the default profile
  Company company = Company::kDefaultPlugins;  // for the rule
  NodeEvent event = NodeEvent::kNone;          // the event of one node before each decision
  std::vector<PlacedPods> placed;
  bool owners = false;         // the ReplicaSets of the shapes exist, so spreading uses them
  size_t nominated_nodes = 0;  // nodes with a nominated pod of higher priority
};

// DecisionWork makes decisions: SchedulePod, then Assume on the chosen node. For a pod that fits
// nowhere it runs SchedulePod and formats the failure message. Every decision evaluates all nodes.
//
// Between rounds, unmeasured, the placed pods are removed, so that the cluster does not fill up.
// Then one decision for each of up to kSettling shapes updates the cached results, as if the pods
// had stayed.
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

  // The two states that an event switches a node between, for some nodes.
  struct TwoStates {
    std::shared_ptr<const api::Node> changed, original;
  };
  std::vector<TwoStates> changing_nodes_;
  size_t next_event_ = 0;
};

}  // namespace berth::bench
