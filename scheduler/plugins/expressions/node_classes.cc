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
  const auto [found, is_new] = kinds_.try_emplace(text.Take());
  Members& kind = found->second;
  if (is_new) {
    kind.id = static_cast<uint32_t>(kinds_.size() - 1);
    if (!free_ids_.empty()) {
      kind.id = free_ids_.back();
      free_ids_.pop_back();
    }
    kind.serial = ++last_serial_;
    kind.values = std::move(values);
    kind.node = node.node;
    kind.key = &found->first;
  }
  ++kind.nodes;
  place = {node.node, {kind.id, kind.serial, kind.values}, &kind};
  return place.kind;
}

void NodeClasses::Leave(Place& place) {
  if (place.members == nullptr || --place.members->nodes > 0) return;
  free_ids_.push_back(place.members->id);
  kinds_.erase(kinds_.find(*place.members->key));
  place.members = nullptr;
}

}  // namespace berth::scheduler
