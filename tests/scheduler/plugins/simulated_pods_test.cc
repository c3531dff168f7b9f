// SPDX-License-Identifier: Apache-2.0
// Simulated changes of a node must count as if they were real: nominated pods that are not there
// yet, and victims that are gone. PreFilter sees neither.
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "scheduler/framework/profile.h"
#include "scheduler/plugins/registry.h"
#include "tests/scheduler/reuse/random_objects.h"
#include "tests/scheduler/testing/test_cluster.h"

namespace berth::scheduler::testing {
namespace {

constexpr size_t kNodes = 8;
constexpr size_t kSteps = 4000;
constexpr size_t kClaims = 6;

class SimulatedPods : public ::testing::TestWithParam<uint64_t> {
 protected:
  SimulatedPods() {
    for (size_t i = 0; i < kNodes; ++i) {
      cluster_.Add(RandomNode(random_, NodeName(i)));
      cluster_.Add<api::CsiNode>(
          "{metadata: {name: " + NodeName(i) +
          "}, spec: {drivers: [{name: a.csi, nodeID: x, allocatable: {count: " +
          std::to_string(random_.Below(4)) + "}}]}}");
    }
    for (size_t i = 0; i < kClaims; ++i) AddClaim("c" + std::to_string(i));
    api::KubeSchedulerProfile spec;
    spec.scheduler_name = "default-scheduler";
    auto made = Profile::Create(spec, 100, MakeRegistry(), cluster_.handle());
    BERTH_CHECK(made.has_value(), made.error().message());
    profile_ = *made;
  }

  // Not ReadWriteOncePod: there upstream's count for simulated pods differs from the real one.
  void AddClaim(const std::string& name) {
    cluster_.Add<api::PersistentVolumeClaim>(
        "{metadata: {name: " + name +
        ", namespace: default, annotations: {pv.kubernetes.io/bind-completed: 'yes'}}, spec: "
        "{volumeName: v-" +
        name + ", accessModes: [ReadWriteOnce]}}");
    cluster_.Add<api::PersistentVolume>("{metadata: {name: v-" + name +
                                        "}, spec: {csi: {driver: a.csi, volumeHandle: " + name +
                                        "}}}");
  }
  static std::string NodeName(size_t i) { return "n" + std::to_string(i); }

  // Few plain random pods depend on other pods; about half of these do.
  PodBuilder NewPod() {
    const std::string name = "p" + std::to_string(++made_);
    PodBuilder pod = RandomPod(random_, name).Uid("uid-" + name);
    if (random_.Percent(15)) pod.Affinity(AnyTerm());
    if (random_.Percent(15)) pod.AntiAffinity(AnyTerm());
    if (random_.Percent(25)) pod.Spread(AnyConstraint());
    while (random_.Percent(15)) pod.raw().spec.volumes.push_back(AnyVolume());
    return pod;
  }

  api::PodAffinityTerm AnyTerm() { return PodsWith(kAppLabel, AnyApp(), AnyKey()); }
  api::TopologySpreadConstraint AnyConstraint() {
    auto constraint = SpreadBy(AnyKey(), static_cast<int32_t>(1 + random_.Below(3)),
                               "DoNotSchedule", kAppLabel, AnyApp());
    if (random_.OneIn(4)) constraint.node_taints_policy = "Honor";
    if (random_.OneIn(4)) constraint.min_domains = 3;
    return constraint;
  }
  api::Volume AnyVolume() {
    api::Volume volume;
    if (random_.OneIn(3)) {
      api::GcePersistentDiskVolumeSource& disk = volume.gce_persistent_disk.emplace();
      disk.pd_name = random_.Pick({"d1", "d2"});
      disk.read_only = random_.OneIn(2);
    } else {
      volume.persistent_volume_claim.emplace().claim_name =
          "c" + std::to_string(random_.Below(kClaims));
    }
    return volume;
  }
  std::string AnyApp() { return random_.Pick({"web", "db", "cache"}); }
  std::string AnyKey() { return random_.Pick({kZoneLabel, "disk", "team"}); }

  // A change of the pods of one node.
  struct Change {
    std::vector<PodBuilder> added;
    std::vector<std::string> removed;  // UIDs
  };
  Change RandomChange(const NodeInfo& node) {
    Change change;
    for (size_t i = random_.Below(3); i > 0; --i) change.added.push_back(NewPod());
    std::vector<HostPort> ports;
    const auto add = [&ports](const PodInfo& pod) {
      ports.insert(ports.end(), pod.host_ports().begin(), pod.host_ports().end());
    };
    for (const auto& pod : node.pods) add(*pod);
    for (const PodBuilder& pod : change.added) add(*pod.Info(cluster_.words()));
    for (const auto& pod : node.pods) {
      if (random_.OneIn(3) && !SharesPort(*pod, ports)) change.removed.push_back(pod->uid());
    }
    return change;
  }

  // If two pods of a node share a port and one of them is removed in the simulation, upstream's set
  // forgets the port (NodeDelta::Remove), though the other pod still uses it.
  static bool SharesPort(const PodInfo& pod, const std::vector<HostPort>& ports) {
    const auto& own = pod.host_ports();
    return std::any_of(own.begin(), own.end(), [&ports](const HostPort& port) {
      return std::count(ports.begin(), ports.end(), port) > 1;
    });
  }

  NodeDelta Simulate(const NodeInfo& node, const Change& change) {
    Simulated simulated;
    for (const PodBuilder& pod : change.added)
      simulated.added.push_back(pod.Info(cluster_.words()));
    for (const std::string& uid : change.removed) {
      simulated.removed.push_back(cluster_.cache().FindPod(uid));
    }
    return simulated.On(node);
  }

  void Make(const std::string& node, Change change) {
    for (const std::string& uid : change.removed) cluster_.cache().RemovePod(uid);
    for (PodBuilder& pod : change.added) cluster_.cache().AddPod(*pod.OnNode(node).Build());
  }

  // Changes labels, zone or taints of a random node.
  void ChangeNode() {
    const std::string name = NodeName(random_.Below(kNodes));
    api::Node node = *cluster_.snapshot().At(cluster_.SlotOf(name)).node;
    random_.Pick({Relabel, Rezone, Retaint})(random_, node);
    cluster_.cache().UpdateNode(std::make_shared<const api::Node>(std::move(node)));
  }

  Random random_{GetParam()};
  TestCluster cluster_;
  std::shared_ptr<const Profile> profile_;
  size_t made_ = 0;
};

TEST_P(SimulatedPods, FilterEqualsFilterOfRealChange) {
  size_t compared = 0, rejected = 0, turned = 0;
  for (size_t step = 0; step < kSteps; ++step) {
    if (random_.OneIn(20)) ChangeNode();
    const std::string name = NodeName(random_.Below(kNodes));
    const PodBuilder pod = NewPod();
    const Change change = RandomChange(cluster_.snapshot().At(cluster_.SlotOf(name)));

    cluster_.cache().BeginCycle();
    Cycle simulating(cluster_, pod);
    const auto before = profile_->RunPreFilter(simulating.context(), nullptr);
    const NodeDelta delta = Simulate(cluster_.snapshot().At(cluster_.SlotOf(name)), change);
    const auto run = [&](Cycle& cycle, PluginIndexSet skipped, const NodeDelta* simulated) {
      return profile_->RunFilter(cycle.context(), skipped, cluster_.View(name, simulated), nullptr)
          .verdict;
    };
    const bool is_asked = before.status.ok();
    const Verdict now = is_asked ? run(simulating, before.skipped, nullptr) : Verdict::Fits();
    const std::string expected = is_asked ? Text(run(simulating, before.skipped, &delta)) : "";

    Make(name, change);
    if (!is_asked) continue;
    cluster_.cache().BeginCycle();
    Cycle real(cluster_, pod);
    const auto after = profile_->RunPreFilter(real.context(), nullptr);
    ASSERT_TRUE(after.status.ok()) << Text(after.status);
    // As upstream, a plugin that PreFilter skipped is not run for the simulated node.
    const std::string is = Text(run(real, before.skipped | after.skipped, nullptr));
    ASSERT_EQ(expected, is) << "seed " << GetParam() << ", step " << step;
    ++compared;
    rejected += is != "Success" ? 1 : 0;
    turned += is != Text(now) ? 1 : 0;
  }
  EXPECT_GT(compared, kSteps / 2);
  EXPECT_GT(rejected, compared / 10);
  EXPECT_GT(turned, compared / 50) << "too few simulated changes had an effect";
}

INSTANTIATE_TEST_SUITE_P(Seeds, SimulatedPods, ::testing::Range<uint64_t>(1, 7));

}  // namespace
}  // namespace berth::scheduler::testing
