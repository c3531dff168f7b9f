// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <string>

#include "sandbox/apiserver/store/object.h"

namespace berth::apiserver {

// Change is one write to a collection.
struct Change {
  uint64_t version = 0;
  ObjectPtr before;  // null: it was created
  ObjectPtr after;   // null: it was deleted

  const Metadata& metadata() const { return (after ? after : before)->metadata; }
};

// History is the newest changes of a collection, oldest first. Each has a sequence number, by which
// readers remember where they are.
//
// Invariant: all changes after floor() are here. What happened up to floor() is forgotten, so that
// states and watches from floor() on can be given, older ones not.
class History {
 public:
  void Append(Change change) { changes_.push_back(std::move(change)); }

  // Trim forgets the oldest changes beyond `window`; Compact those up to a version, and raises the
  // floor to it.
  void Trim(size_t window);
  void Compact(uint64_t version);

  uint64_t floor() const { return floor_; }
  // Sequence numbers are in [first, end).
  uint64_t first() const { return first_; }
  uint64_t end() const { return first_ + changes_.size(); }
  const Change& At(uint64_t sequence) const { return changes_[sequence - first_]; }

  // After is the sequence number of the first change behind a version.
  uint64_t After(uint64_t version) const;

  // Undo gives, for each key that was written after a version, what was there at that version: an
  // object or null. Requires: version >= floor().
  std::map<std::string, ObjectPtr, std::less<>> Undo(uint64_t version) const;

 private:
  void PopFront();

  std::deque<Change> changes_;
  uint64_t first_ = 0;
  uint64_t floor_ = 0;
};

}  // namespace berth::apiserver
