// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/thread_owner.h"

namespace berth::scheduler {

// Symbol stands for a string of the cluster (a label key or value, a node, an image, a resource):
// equal symbols, equal strings. It does so while a Word or a LabelSet holds that string; afterwards
// the number is given to another. So what lasts longer than a cycle keeps a Word, not a Symbol.
using Symbol = uint32_t;
inline constexpr Symbol kNoSymbol = 0;  // the empty string

class Vocabulary;

// Word is a string of a vocabulary and holds it there. Two words of 16 bytes are compared, not
// their texts. Lives and dies on the vocabulary's thread.
class Word {
 public:
  Word() = default;  // the empty string
  Word(const Word& other);
  Word(Word&& other) noexcept
      : words_(std::exchange(other.words_, nullptr)),
        symbol_(std::exchange(other.symbol_, kNoSymbol)) {}
  Word& operator=(Word other) noexcept {
    std::swap(words_, other.words_);
    std::swap(symbol_, other.symbol_);
    return *this;
  }
  ~Word();

  const std::string& text() const;
  Symbol symbol() const { return symbol_; }
  // A word may be used as its symbol where it lives on; the symbol of a temporary would dangle.
  operator Symbol() const& { return symbol_; }  // NOLINT(google-explicit-constructor)
  operator Symbol() const&& = delete;           // NOLINT(google-explicit-constructor)
  bool operator==(const Word& other) const { return symbol_ == other.symbol_; }

 private:
  friend class Vocabulary;
  Word(Vocabulary* words, Symbol symbol) : words_(words), symbol_(symbol) {}

  Vocabulary* words_ = nullptr;  // null: the empty string
  Symbol symbol_ = kNoSymbol;
};

// Vocabulary turns strings into symbols when an object enters the cache, so that the hot path
// compares integers. It counts who holds each string: the last holder's end frees the symbol for
// another string, so a cluster whose labels come and go does not grow. Owned by the scheduling
// thread; outlives every Word and LabelSet made of it.
// Invariants: a string that is held has one symbol, and keeps it; Text(Intern(s)) == s.
class Vocabulary {
 public:
  Vocabulary();
  ~Vocabulary();
  Vocabulary(const Vocabulary&) = delete;
  Vocabulary& operator=(const Vocabulary&) = delete;

  Word Intern(std::string_view text);
  // Find gives the symbol of a string that is held, or kNoSymbol for one that nobody holds.
  Symbol Find(std::string_view text) const;
  // Text gives the string of a symbol that is held.
  const std::string& Text(Symbol symbol) const { return entries_[symbol].text; }

  size_t size() const { return symbols_.size(); }  // strings that are held, and the empty one
  // capacity is the greatest number of strings that were ever held at once.
  size_t capacity() const { return entries_.size(); }

  // HandOver lets the next thread that uses the vocabulary become its owner.
  void HandOver() { owner_.Release(); }

 private:
  friend class LabelSet;
  friend class Word;
  struct Entry {
    std::string text;
    uint32_t holders = 0;
  };

  Symbol Take(std::string_view text);  // Intern, held by the caller
  void Hold(Symbol symbol) {
    owner_.AssertHeld();
    ++entries_[symbol].holders;
  }
  void Drop(Symbol symbol);

  ThreadOwner owner_;
  std::deque<Entry> entries_;  // by symbol; stable addresses: the map's keys point into it
  std::vector<Symbol> free_;
  std::unordered_map<std::string_view, Symbol> symbols_;
};

inline Word::Word(const Word& other) : words_(other.words_), symbol_(other.symbol_) {
  if (words_ != nullptr) words_->Hold(symbol_);
}

inline Word::~Word() {
  if (words_ != nullptr) words_->Drop(symbol_);
}

}  // namespace berth::scheduler
