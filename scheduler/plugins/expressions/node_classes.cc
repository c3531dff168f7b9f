// SPDX-License-Identifier: Apache-2.0
#include "scheduler/plugins/expressions/node_classes.h"

namespace berth::scheduler {

std::optional<NodeClass> NodeClasses::Sort(const NodeInfo& node, const Expression& expression,
                                           cel::Budget& budget) {
  auto values = expression.ValuesOf(*node.node, budget);
  // With an exhausted budget the values are errors, not the node's values.
  if (budget.IsExhausted()) return std::nullopt;
  if (node.slot >= places_.size()) places_.resize(node.slot + 1);
  Place& place = places_[node.slot];
  Leave(place);

  KeyText text;
  for (const cel::Value& value : values) AddValue(value, text);
  const auto [found, is_new] = classes_.try_emplace(text.Take());
  Members& node_class = found->second;
  if (is_new) {
    node_class.id = static_cast<uint32_t>(classes_.size() - 1);
    if (!free_ids_.empty()) {
      node_class.id = free_ids_.back();
      free_ids_.pop_back();
    }
    node_class.serial = ++last_serial_;
    node_class.values = std::move(values);
    node_class.node = node.node;
    node_class.key = &found->first;
  }
  ++node_class.nodes;
  place = {node.node, {node_class.id, node_class.serial, node_class.values}, &node_class};
  return place.node_class;
}

void NodeClasses::Leave(Place& place) {
  if (place.members == nullptr || --place.members->nodes > 0) return;
  free_ids_.push_back(place.members->id);
  classes_.erase(classes_.find(*place.members->key));
  place.members = nullptr;
}

}  // namespace berth::scheduler
