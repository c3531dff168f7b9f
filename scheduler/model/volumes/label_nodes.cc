// SPDX-License-Identifier: Apache-2.0
#include "scheduler/model/volumes/label_nodes.h"

#include <algorithm>

namespace berth::scheduler {

void LabelNodes::Track(const std::string& key) {
  OfKey& label = labels_[key];
  if (++label.trackers > 1) return;
  label.key = words_.Intern(key);
  for (const NodeInfo& node : nodes_) {
    if (node.slot != kNoSlot) Move(label, node);
  }
}

void LabelNodes::Untrack(const std::string& key) {
  const auto label = labels_.find(key);
  if (--label->second.trackers == 0) labels_.erase(label);
}

std::span<const Slot> LabelNodes::With(std::string_view key, std::string_view value) const {
  const OfKey& label = labels_.find(key)->second;
  const Symbol symbol = words_.Find(value);
  const auto found = symbol == kNoSymbol ? label.slots.end() : label.slots.find(symbol);
  if (found == label.slots.end()) return {};
  return found->second;
}

void LabelNodes::Move(const NodeInfo& node) {
  for (auto& [key, label] : labels_) Move(label, node);
}

void LabelNodes::Move(OfKey& label, const NodeInfo& node) {
  if (label.of_slots.size() <= node.slot) label.of_slots.resize(node.slot + 1);
  const Symbol value = node.labels.Value(label.key).value_or(kNoSymbol);
  Word& place = label.of_slots[node.slot];
  if (place.symbol() == value) return;
  if (place.symbol() != kNoSymbol) {
    const auto former = label.slots.find(place.symbol());
    std::erase(former->second, node.slot);
    if (former->second.empty()) label.slots.erase(former);
  }
  place = words_.Intern(words_.Text(value));
  if (value != kNoSymbol) label.slots[value].push_back(node.slot);
}

}  // namespace berth::scheduler
