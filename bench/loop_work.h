// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <vector>

#include "api/pod_group.h"
#include "base/fake_clock.h"
#include "bench/fixtures.h"
#include "bench/workload.h"
#include "scenario/manifests.h"
#include "scheduler/observer.h"
#include "scheduler/scheduler.h"

namespace berth::bench {

struct LoopOptions {
  size_t nodes = 5000;
  size_t pods_per_node = 4;                    // running pods, on average
  std::vector<PodShape> shapes{PlainShape()};  // used in turn, then again from the first
  size_t round = 1000;                         // pods
};

// LoopObjects holds the input of a loop: the cluster, the pods that are placed unmeasured before
// each round, and the pods of a round.
struct LoopObjects {
  using Pods = std::vector<std::shared_ptr<const api::Pod>>;

  std::vector<std::shared_ptr<const api::Node>> nodes;
  Pods running, settling, pods;
  std::vector<scenario::Manifest> others;  // other objects that plugins read
  std::vector<std::shared_ptr<const api::PodGroup>> groups = {};
};
LoopObjects MakeLoopObjects(const LoopOptions& options);

// LoopWork takes pods through the whole scheduler: the event that adds a pod, queue, attempt,
// assume, binding, and the event that confirms it. The API server answers at once; its work and the
// work of the watch thread (decoding, building the bound object) are not measured. An operation is
// one pod.
//
// Between rounds, unmeasured, the pods are deleted, and one pod of each shape is placed to update
// the cached results.
class LoopWork final : public Workload {
 public:
  using MakeProfiles = std::function<scheduler::ProfileMap(const scheduler::PluginHandle&)>;

  // Uses the default profile.
  explicit LoopWork(const LoopOptions& options);
  LoopWork(LoopObjects objects, const MakeProfiles& make_profiles);

  size_t Operations() const override { return pods_.size(); }
  void Round(Meter& meter) override;

 private:
  using Pods = LoopObjects::Pods;

  void Schedule(const Pods& pods, Meter& meter);
  Pods Confirmations(const Pods& pods) const;

  FakeClock clock_;
  InstantApi api_;
  scheduler::Vocabulary words_;
  scheduler::SchedulerObserver observer_;
  scheduler::Scheduler scheduler_{clock_, api_, words_, observer_};
  Pods settling_, pods_;
  Pods come_;  // deleted before the next round
};

}  // namespace berth::bench
