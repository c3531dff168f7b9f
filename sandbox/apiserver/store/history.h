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

// History holds the newest changes of a collection, oldest first. Each change has a sequence
// number; readers remember their position by it.
//
// Invariant: all changes after floor() are here. Earlier changes are dropped, so states and watches
// can begin at floor() or later.
class History {
 public:
  void Append(Change change) { changes_.push_back(std::move(change)); }

  // Trim drops the oldest changes beyond `window`. Compact drops the changes up to a version, and
  // raises the floor to it.
  void Trim(size_t window);
  void Compact(uint64_t version);

  uint64_t floor() const { return floor_; }
  // Sequence numbers are in [first, end).
  uint64_t first() const { return first_; }
  uint64_t end() const { return first_ + changes_.size(); }
  const Change& At(uint64_t sequence) const { return changes_[sequence - first_]; }

  // Returns the sequence number of the first change after a version.
  uint64_t After(uint64_t version) const;

  // Returns, for each key written after a version, its state at that version: an object or null.
  // Requires: version >= floor().
  std::map<std::string, ObjectPtr, std::less<>> Undo(uint64_t version) const;

 private:
  void PopFront();

  std::deque<Change> changes_;
  uint64_t first_ = 0;
  uint64_t floor_ = 0;
};

}  // namespace berth::apiserver
