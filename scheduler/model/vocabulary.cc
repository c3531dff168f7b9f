// SPDX-License-Identifier: Apache-2.0
#include "scheduler/model/vocabulary.h"

#include "base/check.h"

namespace berth::scheduler {

const std::string& Word::text() const {
  static const std::string kEmpty;
  return words_ == nullptr ? kEmpty : words_->Text(symbol_);
}

Vocabulary::Vocabulary() {
  // The empty string, kNoSymbol, is never freed.
  entries_.push_back({.text = {}, .holders = 1});
  symbols_.emplace(entries_.back().text, kNoSymbol);
}

Vocabulary::~Vocabulary() {
  for (const auto& [text, symbol] : symbols_) {
    BERTH_CHECK(text.empty(), "\"" + std::string(text) + "\" is still held");
  }
}

Word Vocabulary::Intern(std::string_view text) {
  return text.empty() ? Word() : Word(this, Take(text));
}

Symbol Vocabulary::Take(std::string_view text) {
  owner_.AssertHeld();
  if (const auto known = symbols_.find(text); known != symbols_.end()) {
    ++entries_[known->second].holders;
    return known->second;
  }
  Symbol symbol;
  if (free_.empty()) {
    symbol = static_cast<Symbol>(entries_.size());
    entries_.emplace_back();
  } else {
    symbol = free_.back();
    free_.pop_back();
  }
  Entry& entry = entries_[symbol];
  entry = {.text = std::string(text), .holders = 1};
  symbols_.emplace(entry.text, symbol);
  return symbol;
}

void Vocabulary::Drop(Symbol symbol) {
  owner_.AssertHeld();
  Entry& entry = entries_[symbol];
  if (--entry.holders > 0) return;
  symbols_.erase(entry.text);
  entry = Entry();
  free_.push_back(symbol);
}

Symbol Vocabulary::Find(std::string_view text) const {
  const auto known = symbols_.find(text);
  return known == symbols_.end() ? kNoSymbol : known->second;
}

}  // namespace berth::scheduler
