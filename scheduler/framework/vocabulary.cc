// SPDX-License-Identifier: Apache-2.0
#include "scheduler/framework/vocabulary.h"

#include "base/check.h"

namespace berth::scheduler {

Vocabulary::Vocabulary() {
  const Symbol empty = Intern("");
  BERTH_CHECK(empty == kNoSymbol, "the empty string is the first symbol");
}

Symbol Vocabulary::Intern(std::string_view text) {
  if (const auto known = symbols_.find(text); known != symbols_.end()) return known->second;
  const auto symbol = static_cast<Symbol>(texts_.size());
  texts_.emplace_back(text);
  symbols_.emplace(texts_.back(), symbol);
  return symbol;
}

Symbol Vocabulary::Find(std::string_view text) const {
  const auto known = symbols_.find(text);
  return known == symbols_.end() ? kNoSymbol : known->second;
}

}  // namespace berth::scheduler
