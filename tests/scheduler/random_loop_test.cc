// SPDX-License-Identifier: Apache-2.0
// Random as the only score plugin, with the filters of the default profile:
// samples/09-a-shell-scheduler.
#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <string>

#include "scheduler/plugins/registry.h"
#include "tests/scheduler/loop_fixture.h"

namespace berth::scheduler {
namespace {

using testing::LoopTest;
using testing::NodeBuilder;
using testing::PodBuilder;

// The test's own view of a node, independent of the plugins.
struct KnownNode {
  int cpu = 0;  // free
  bool tainted = false, cordoned = false;

  bool Takes(int pod_cpu, bool tolerates) const {
    return pod_cpu <= cpu && !cordoned && (!tainted || tolerates);
  }
};

class RandomLoopTest : public LoopTest, public ::testing::WithParamInterface<uint32_t> {
 protected:
  RandomLoopTest() {
    random_.seed(GetParam());
    api::KubeSchedulerProfile spec;
    spec.scheduler_name = "test";
    spec.plugins.score.disabled = {{"*"}};
    spec.plugins.score.enabled = {{"Random"}};
    const PluginHandle handle{clock_, api_, words_};
    scheduler_.SetProfiles(
        {{"test", scheduler::Profile::Create(spec, 0, MakeRegistry(), handle).value()}});
  }

  int Below(int limit) { return static_cast<int>(random_() % static_cast<uint32_t>(limit)); }

  void AddNode(const std::string& name) {
    const KnownNode known{.cpu = 2 + Below(7), .tainted = Below(3) == 0, .cordoned = Below(4) == 0};
    NodeBuilder node = Node(name, "cpu=" + std::to_string(known.cpu) + ",pods=100");
    if (known.tainted) node.Taint("leaving");
    if (known.cordoned) node.Unschedulable();
    scheduler_.On(api::Added(node.Build()));
    nodes_[name] = known;
  }

  std::mt19937 random_;
  std::map<std::string, KnownNode> nodes_;
};

TEST_P(RandomLoopTest, BindsToAFittingNodeIfThereIsOne) {
  for (int i = 0; i < 8; ++i) AddNode("n" + std::to_string(i));
  std::set<std::string> chosen;
  int waiting = 0;
  for (int i = 0; i < 60; ++i) {
    const int cpu = 1 + Below(3);
    const bool tolerates = Below(2) == 0;
    PodBuilder pod = testing::MakePod("p" + std::to_string(i)).Scheduler("test");
    pod.Requests("cpu=" + std::to_string(cpu));
    if (tolerates) pod.Toleration("leaving");
    const bool fits = std::ranges::any_of(
        nodes_, [&](const auto& node) { return node.second.Takes(cpu, tolerates); });
    const size_t before = api_.binds.size();
    scheduler_.On(api::Added(pod.Build()));
    Run();
    ASSERT_EQ(api_.binds.size() - before, fits ? 1u : 0u) << "p" << i;
    if (!fits) {
      ++waiting;
      continue;
    }
    KnownNode& node = nodes_.at(api_.binds.back().node);
    EXPECT_TRUE(node.Takes(cpu, tolerates)) << Bound().back();
    node.cpu -= cpu;
    chosen.insert(api_.binds.back().node);
  }
  EXPECT_GT(waiting, 0) << "all pods fit: the test needs more pods";
  EXPECT_GT(chosen.size(), 2u);
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomLoopTest, ::testing::Range(1u, 9u));

}  // namespace
}  // namespace berth::scheduler
