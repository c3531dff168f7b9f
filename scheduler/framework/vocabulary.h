// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>

namespace berth::scheduler {

// Symbol stands for a string of the cluster (a label key or value, a node, an image, a resource):
// equal symbols, equal strings.
using Symbol = uint32_t;
inline constexpr Symbol kNoSymbol = 0;  // the empty string

// Vocabulary turns strings into symbols when an object enters the cache, so that the hot path
// compares integers. Owned by the scheduling thread; not thread safe. Invariants: a symbol, once
// given, keeps its text; Text(Intern(s)) == s.
class Vocabulary {
 public:
  Vocabulary();
  Vocabulary(const Vocabulary&) = delete;
  Vocabulary& operator=(const Vocabulary&) = delete;

  Symbol Intern(std::string_view text);
  // Find gives the symbol of a string that was interned before, or kNoSymbol for one that no object
  // holds.
  Symbol Find(std::string_view text) const;
  std::string_view Text(Symbol symbol) const { return texts_[symbol]; }
  size_t size() const { return texts_.size(); }

 private:
  std::deque<std::string> texts_;  // stable addresses; the map's keys point into it
  std::unordered_map<std::string_view, Symbol> symbols_;
};

}  // namespace berth::scheduler
