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
  size_t pods_per_node = 4;                    // that run there already, on average
  std::vector<PodShape> shapes{PlainShape()};  // one after the other, then again from the first
  size_t round = 1000;                         // pods
};

// LoopObjects is what a loop works on: the cluster, pods that are placed unmeasured before each
// round, and those of a round.
struct LoopObjects {
  using Pods = std::vector<std::shared_ptr<const api::Pod>>;

  std::vector<std::shared_ptr<const api::Node>> nodes;
  Pods running, settling, pods;
  std::vector<scenario::Manifest> others;  // what plugins read besides
  std::vector<std::shared_ptr<const api::PodGroup>> groups = {};
};
LoopObjects MakeLoopObjects(const LoopOptions& options);

// LoopWork takes pods through the whole scheduler: the event that brings them, queue, attempt,
// assumption, binding, the event that confirms it. The API server answers at once; what it and the
// watch thread do (decoding, the bound object) is not measured. An operation is one pod.
//
// Between rounds, unmeasured, the pods are deleted, and one pod of each shape is placed to bring
// kept answers up to date.
class LoopWork final : public Workload {
 public:
  using MakeProfiles = std::function<scheduler::ProfileMap(const scheduler::PluginHandle&)>;

  // The default profile.
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
  Pods come_;  // to be deleted before the next round
};

}  // namespace berth::bench
