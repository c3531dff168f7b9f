// SPDX-License-Identifier: Apache-2.0
// Decisions about pods that fit nowhere without preemption.
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "bench/cases.h"
#include "bench/decision_work.h"
#include "bench/fixtures.h"

namespace berth::bench {
namespace {

// Requests a thirtieth of the node's CPU.
PodShape FillingShape(size_t node) {
  PodShape shape = PlainShape();
  shape.milli_cpu = MakeNode(node)->status.allocatable.at("cpu").MilliValue() / 30;
  shape.memory_mib = 16;
  return shape;
}

PodShape ImportantShape() {
  PodShape shape = PlainShape();
  shape.app = "important";
  shape.milli_cpu = 4000;
  shape.priority = 1000;
  return shape;
}

// Every node is full of possible victims. The dry run removes all of them from each candidate node
// and adds them back one at a time.
DecisionOptions FullNodes(const Scale& scale) {
  constexpr size_t kPods = 30;
  return {.nodes = scale.nodes,
          .pods_per_node = 0,
          .shapes = {ImportantShape()},
          .round = scale.round / 10,
          .placed = {{.count = scale.nodes * kPods,
                      .shape_of = [](size_t i) { return FillingShape(i / kPods); },
                      .node_of = [](size_t i) { return i / kPods; }}}};
}

// Every node is full, and no pod may be preempted.
DecisionOptions TiedNodes(const Scale& scale) {
  DecisionOptions options = FullNodes(scale);
  options.shapes.front().priority = 0;
  return options;
}

}  // namespace

std::vector<Case> PreemptionCases(const Scale& scale) {
  const auto make = [](std::string_view name, DecisionOptions options) {
    return Case{fmt::format("preemption/{}/nodes:{}", name, options.nodes),
                [options = std::move(options)] { return std::make_unique<DecisionWork>(options); }};
  };
  return {make("full_nodes", FullNodes(scale)), make("tied_nodes", TiedNodes(scale))};
}

}  // namespace berth::bench
