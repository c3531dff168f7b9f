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

// Symbol is the number of an interned string (a label key or value, a node, an image, a resource).
// Equal symbols mean equal strings. It is valid while a Word or a LabelSet holds the string;
// afterwards the number is reused. So data that outlives a cycle stores a Word, not a Symbol.
using Symbol = uint32_t;
inline constexpr Symbol kNoSymbol = 0;  // the empty string

class Vocabulary;

// Word is a reference-counted string of a vocabulary, in 16 bytes. Words are compared by symbol,
// not by text. Must be used and destroyed on the vocabulary's thread.
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
  // A named word converts to its symbol; a temporary does not, because the symbol would dangle.
  operator Symbol() const& { return symbol_; }  // NOLINT(google-explicit-constructor)
  operator Symbol() const&& = delete;           // NOLINT(google-explicit-constructor)
  bool operator==(const Word& other) const { return symbol_ == other.symbol_; }

 private:
  friend class Vocabulary;
  Word(Vocabulary* words, Symbol symbol) : words_(words), symbol_(symbol) {}

  Vocabulary* words_ = nullptr;  // null: the empty string
  Symbol symbol_ = kNoSymbol;
};

// Vocabulary interns strings when an object enters the cache, so that the hot path compares
// integers. Strings are reference-counted: the symbol is freed with its last holder, so the
// vocabulary does not grow when labels come and go. Owned by the scheduling thread; must outlive
// every Word and LabelSet made from it.
// Invariants: a held string has exactly one symbol, which does not change; Text(Intern(s)) == s.
class Vocabulary {
 public:
  Vocabulary();
  ~Vocabulary();
  Vocabulary(const Vocabulary&) = delete;
  Vocabulary& operator=(const Vocabulary&) = delete;

  Word Intern(std::string_view text);
  // Returns the symbol of a held string, or kNoSymbol.
  Symbol Find(std::string_view text) const;
  // Returns the string of a symbol. Requires: the symbol is held.
  const std::string& Text(Symbol symbol) const { return entries_[symbol].text; }

  size_t size() const { return symbols_.size(); }  // held strings, including the empty one
  // Returns the highest number of strings that were held at once.
  size_t capacity() const { return entries_.size(); }

  // Makes the next thread that uses the vocabulary its owner.
  void HandOver() { owner_.Release(); }

 private:
  friend class LabelSet;
  friend class Word;
  struct Entry {
    std::string text;
    uint32_t holders = 0;
  };

  Symbol Take(std::string_view text);  // like Intern; the caller holds the symbol
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
