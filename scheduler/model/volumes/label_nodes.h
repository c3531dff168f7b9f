// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <deque>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "scheduler/model/node_info.h"
#include "scheduler/model/vocabulary.h"
#include "scheduler/model/volumes/object_table.h"

namespace berth::scheduler {

// LabelNodes finds the nodes with a label value, for the few labels that are tracked. Owned by the
// VolumeStore. Invariant: for a tracked label, each slot with a value is in the list of that value
// and in no other. Only Move changes the lists, and it records the list of each slot.
class LabelNodes {
 public:
  // Requires: both outlive this object.
  LabelNodes(Vocabulary& words, const std::deque<NodeInfo>& nodes) : words_(words), nodes_(nodes) {}

  // Track starts to index a label. Untrack ends it after as many calls as Track.
  void Track(const std::string& key);
  void Untrack(const std::string& key);

  // Returns the slots of the nodes with that value, unordered. Requires: the label is tracked.
  std::span<const Slot> With(std::string_view key, std::string_view value) const;

  // Updates a slot with new labels, another node, or no node.
  void Move(const NodeInfo& node);

 private:
  struct OfKey {
    Word key;
    size_t trackers = 0;
    std::vector<Word> of_slots;                           // the value; "" for no value
    std::unordered_map<Symbol, std::vector<Slot>> slots;  // by value; never empty
  };
  void Move(OfKey& label, const NodeInfo& node);

  Vocabulary& words_;
  const std::deque<NodeInfo>& nodes_;
  std::unordered_map<std::string, OfKey, StringHash, std::equal_to<>> labels_;
};

}  // namespace berth::scheduler
