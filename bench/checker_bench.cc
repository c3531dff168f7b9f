// SPDX-License-Identifier: Apache-2.0
// The check of the scheduler's cache against the informers' stores.
#include <fmt/format.h>

#include "base/check.h"
#include "base/fake_clock.h"
#include "bench/cases.h"
#include "bench/fixtures.h"
#include "engine/checker.h"

namespace berth::bench {
namespace {

// CheckedCluster is a large cluster that matches the scheduler's cache. An operation is one step of
// the checker; the scheduling thread waits for it.
class CheckedCluster final : public Workload {
 public:
  CheckedCluster(size_t nodes, size_t pods_per_node) {
    scheduler_.SetProfiles({{"default-scheduler", DefaultProfile({clock_, api_, words_})}});
    const ClusterObjects cluster = MakeCluster(nodes, pods_per_node);
    for (const auto& node : cluster.nodes) {
      nodes_.Put({"", node->metadata.name}, node);
      scheduler_.On(api::Added(node));
    }
    for (const auto& pod : cluster.pods) {
      pods_.Put({pod->metadata.namespace_, pod->metadata.name},
                std::make_shared<const engine::KnownPod>(engine::KnownPod::Of(pod)));
      scheduler_.On(api::Added(pod));
    }
  }

  size_t Operations() const override { return kSteps; }
  void Round(Meter& meter) override {
    for (size_t i = 0; i < kSteps; ++i) {
      clock_.Advance(std::max(checker_.NextStep() - clock_.Now(), std::chrono::nanoseconds(0)));
      const Measured measured(meter);
      checker_.Step(clock_.Now());
    }
  }

 private:
  static constexpr size_t kSteps = 100;

  static void Unexpected() { BERTH_CHECK(false, "nothing differs"); }

  FakeClock clock_;
  InstantApi api_;
  scheduler::Vocabulary words_;
  scheduler::SchedulerObserver observer_;
  scheduler::Scheduler scheduler_{clock_, api_, words_, observer_};
  client::AnyStore pods_, nodes_;
  engine::Checker checker_{{.scheduler = scheduler_,
                            .pods = client::Store<engine::KnownPod>(pods_),
                            .nodes = client::Store<api::Node>(nodes_),
                            .post = [](const auto&) { Unexpected(); },
                            .fetch = [](const auto&, const auto&) { Unexpected(); },
                            .repaired = [](std::string_view) { Unexpected(); }}};
};

}  // namespace

std::vector<Case> CheckerCases(const Scale& scale) {
  const size_t nodes = scale.nodes, pods = scale.crowded_pods_per_node;
  return {{fmt::format("checker/step/nodes:{}/pods:{}", nodes, nodes * pods),
           [=] { return std::make_unique<CheckedCluster>(nodes, pods); }}};
}

}  // namespace berth::bench
