// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "scheduler/plugins/pod_topology_spread.h"
#include "tests/scheduler/testing/test_cluster.h"

namespace berth::scheduler {

// PodTopologySpreadTest asks the plugin about a cluster of nodes in zones, with pods of the app web.
class PodTopologySpreadTest : public ::testing::Test {
 protected:
  using Cycle = testing::Cycle;
  using NodeBuilder = testing::NodeBuilder;
  using PodBuilder = testing::PodBuilder;
  using Answers = std::map<std::string, std::string>;
  using Scores = std::map<std::string, int64_t>;

  static constexpr const char* kHost = "kubernetes.io/hostname";
  static constexpr const char* kZone = "topology.kubernetes.io/zone";

  static PodBuilder WebPod(std::string name) {
    return testing::MakePod(std::move(name)).Label("app", "web");
  }
  static api::TopologySpreadConstraint Hard(const char* key, int32_t max_skew = 1) {
    return testing::SpreadBy(key, max_skew, "DoNotSchedule", "app", "web");
  }
  static api::TopologySpreadConstraint Soft(const char* key, int32_t max_skew = 1) {
    return testing::SpreadBy(key, max_skew, "ScheduleAnyway", "app", "web");
  }

  // Adds a node with its name as the hostname label, without a zone if `zone` is empty.
  void AddNode(const std::string& name, const std::string& zone) {
    NodeBuilder node = testing::MakeNode(name).Label(kHost, name);
    if (!zone.empty()) node.Label(kZone, zone);
    cluster_.Add(node);
  }
  void AddWebPods(const std::string& node, int count) {
    for (int i = 0; i < count; ++i) {
      cluster_.Add(WebPod(node + "-web-" + std::to_string(i)).OnNode(node));
    }
  }
  // Nodes a and b in zone 1, c in zone 2, d in none.
  void AddZones() {
    AddNode("a", "1");
    AddNode("b", "1");
    AddNode("c", "2");
    AddNode("d", "");
  }

  Answers Filter(const PodBuilder& pod, const std::string& args = "") {
    Cycle cycle(cluster_, pod);
    return testing::FilterAll(*cluster_.Plugin<PodTopologySpread>(args), cycle);
  }
  std::string FilterSimulated(const PodBuilder& pod, const std::string& node,
                              const testing::Simulated& simulated) {
    Cycle cycle(cluster_, pod);
    const auto plugin = cluster_.Plugin<PodTopologySpread>();
    const Status status = plugin->PreFilter(cycle.context()).status;
    if (!status.ok()) return testing::Text(status);
    const NodeDelta delta = simulated.On(cluster_.View(node).info());
    return testing::Text(plugin->Filter(cycle.context(), cluster_.View(node, &delta)));
  }
  std::shared_ptr<const PodInfo> Placed(const PodBuilder& pod) {
    return pod.Placed(cluster_.words());
  }
  Scores Score(const PodBuilder& pod, const std::string& args = "") {
    Cycle cycle(cluster_, pod);
    return testing::ScoreAll(*cluster_.Plugin<PodTopologySpread>(args), cycle);
  }
  Scores Normalized(const PodBuilder& pod, const std::string& args = "") {
    Cycle cycle(cluster_, pod);
    return testing::NormalizeAll(*cluster_.Plugin<PodTopologySpread>(args), cycle);
  }

  testing::TestCluster cluster_;
};

}  // namespace berth::scheduler
