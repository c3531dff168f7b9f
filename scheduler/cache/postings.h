// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

namespace berth::scheduler {

// Postings is a list of things for each number. A thing is listed under several numbers; it keeps
// its positions in a member `postings`, in the order of its numbers. So it is added to and removed
// from a list in constant time. The order within a list is arbitrary.
template <class T>
class Postings {
 public:
  struct Posting {
    T* thing;
    uint32_t index;  // in its postings
  };

  // Adds the thing under the next of its numbers.
  void Add(uint64_t number, T& thing) {
    std::vector<Posting>& list = lists_[number];
    const auto index = static_cast<uint32_t>(thing.postings.size());
    thing.postings.push_back(static_cast<uint32_t>(list.size()));
    list.push_back({&thing, index});
  }
  // Removes the thing. Requires: `number` was the one at `index` of its numbers.
  void Remove(uint64_t number, const T& thing, size_t index) {
    const auto found = lists_.find(number);
    std::vector<Posting>& list = found->second;
    const Posting last = list.back();
    const uint32_t place = thing.postings[index];
    list[place] = last;
    last.thing->postings[last.index] = place;
    list.pop_back();
    if (list.empty()) lists_.erase(found);
  }
  // Returns the things under a number. Valid until the next change.
  std::span<const Posting> Of(uint64_t number) const {
    const auto found = lists_.find(number);
    if (found == lists_.end()) return {};
    return found->second;
  }

 private:
  std::unordered_map<uint64_t, std::vector<Posting>> lists_;
};

}  // namespace berth::scheduler
