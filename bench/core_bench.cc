// SPDX-License-Identifier: Apache-2.0
// Decisions of the core in process, on one thread, over all nodes.
#include <fmt/format.h>

#include "bench/cases.h"
#include "bench/decision_work.h"
#include "bench/loop_work.h"

namespace berth::bench {
namespace {

constexpr size_t kMixedShapes = 64;

std::vector<PodShape> Shapes(size_t count) {
  std::vector<PodShape> shapes;
  for (size_t i = 0; i < count; ++i) shapes.push_back(ShapeAt(i));
  return shapes;
}

Case Decisions(std::string_view name, DecisionOptions options) {
  return {fmt::format("core/{}/nodes:{}", name, options.nodes),
          [options = std::move(options)] { return std::make_unique<DecisionWork>(options); }};
}

Case Loop(std::string_view name, LoopOptions options) {
  return {fmt::format("loop/{}/nodes:{}", name, options.nodes),
          [options = std::move(options)] { return std::make_unique<LoopWork>(options); }};
}

}  // namespace

std::vector<Case> CoreCases(const Scale& scale) {
  const DecisionOptions one_shape{
      .nodes = scale.nodes, .pods_per_node = scale.pods_per_node, .round = scale.round};
  DecisionOptions computed = one_shape;
  computed.result_cache = false;
  DecisionOptions mixed = one_shape;
  mixed.shapes = Shapes(kMixedShapes);
  DecisionOptions mixed_computed = mixed;
  mixed_computed.result_cache = false;
  DecisionOptions fresh = one_shape;
  fresh.shapes = Shapes(scale.fresh_shapes);
  DecisionOptions fits_nowhere = one_shape;
  fits_nowhere.shapes = {HugeShape()};
  DecisionOptions nominated = one_shape;
  nominated.nominated_nodes = scale.nodes / 50;
  DecisionOptions label = one_shape;
  label.event = NodeEvent::kLabel;
  DecisionOptions allocatable = one_shape;
  allocatable.event = NodeEvent::kAllocatable;
  DecisionOptions image = one_shape;
  image.event = NodeEvent::kImage;
  DecisionOptions many_nodes = one_shape;
  many_nodes.nodes = scale.many_nodes;
  DecisionOptions filter_without_key = one_shape;
  filter_without_key.filter_without_key = true;
  // The round is small enough that every pod still finds a node with room.
  DecisionOptions fills_nodes = one_shape;
  fills_nodes.shapes = {HalfNodeShape()};
  fills_nodes.round = scale.nodes / 10;

  const LoopOptions loop{
      .nodes = scale.nodes, .pods_per_node = scale.pods_per_node, .round = scale.round};
  LoopOptions mixed_loop = loop;
  mixed_loop.shapes = Shapes(kMixedShapes);

  return {Decisions("one_shape", one_shape),
          Decisions("one_shape_without_reuse", computed),
          Decisions("64_shapes", mixed),
          Decisions("64_shapes_without_reuse", mixed_computed),
          Decisions("no_shape_twice", fresh),
          Decisions("one_shape", many_nodes),
          Decisions("one_shape_after_label_change", label),
          Decisions("one_shape_after_allocatable_change", allocatable),
          Decisions("one_shape_after_image_change", image),
          Decisions("fits_nowhere", fits_nowhere),
          Decisions("one_shape_with_nominated_pods", nominated),
          Decisions("filter_without_key", filter_without_key),
          Decisions("each_pod_fills_a_node", fills_nodes),
          Loop("one_shape", loop),
          Loop("64_shapes", mixed_loop)};
}

}  // namespace berth::bench
