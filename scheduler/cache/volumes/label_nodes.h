// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <deque>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "scheduler/cache/volumes/object_table.h"
#include "scheduler/model/node_info.h"
#include "scheduler/model/vocabulary.h"

namespace berth::scheduler {

// LabelNodes finds the nodes that have a value of a label, for the few labels that somebody tracks.
// Owned by the VolumeStore. Invariant: of a tracked label, each slot whose node has a value of it is
// in that value's list and in no other, because Move alone changes lists and remembers where each
// slot is.
class LabelNodes {
 public:
  // Requires: both outlive this.
  LabelNodes(Vocabulary& words, const std::deque<NodeInfo>& nodes) : words_(words), nodes_(nodes) {}

  // Track begins to look at a label; Untrack ends it once it was called as often.
  void Track(const std::string& key);
  void Untrack(const std::string& key);

  // With gives the slots of the nodes with that value, in any order. Requires: the label is tracked.
  std::span<const Slot> With(std::string_view key, std::string_view value) const;

  // Move says that a slot has other labels, or another node, or none.
  void Move(const NodeInfo& node);

 private:
  struct OfKey {
    Word key;
    size_t trackers = 0;
    std::vector<Word> of_slots;                           // the value; "" where there is none
    std::unordered_map<Symbol, std::vector<Slot>> slots;  // by value; never empty
  };
  void Move(OfKey& label, const NodeInfo& node);

  Vocabulary& words_;
  const std::deque<NodeInfo>& nodes_;
  std::unordered_map<std::string, OfKey, StringHash, std::equal_to<>> labels_;
};

}  // namespace berth::scheduler
