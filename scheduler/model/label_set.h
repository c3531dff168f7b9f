// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "api/labels.h"
#include "api/meta.h"
#include "scheduler/model/vocabulary.h"

namespace berth::scheduler {

// LabelSet holds the labels of an object as symbols and keeps their strings in the vocabulary: 8
// bytes per label. Invariant: sorted by the symbol of the key. Must be used and destroyed on the
// vocabulary's thread.
class LabelSet {
 public:
  using Label = std::pair<Symbol, Symbol>;  // key and value

  LabelSet() = default;
  LabelSet(const api::StringMap& labels, Vocabulary& words);
  LabelSet(const LabelSet& other);
  LabelSet(LabelSet&& other) noexcept;
  LabelSet& operator=(LabelSet other) noexcept;
  ~LabelSet();

  // Returns nullopt if the label is absent, kNoSymbol if its value is empty.
  std::optional<Symbol> Value(Symbol key) const;

  // Matches a selector of strings; model/node_matcher.h has the compiled form for many nodes.
  bool Matches(const api::Selector& selector) const;

  size_t size() const { return labels_.size(); }
  bool empty() const { return labels_.empty(); }
  auto begin() const { return labels_.begin(); }
  auto end() const { return labels_.end(); }
  const Label& operator[](size_t i) const { return labels_[i]; }
  // Requires: both sets use the same vocabulary.
  bool operator==(const LabelSet& other) const { return labels_ == other.labels_; }

 private:
  Vocabulary* words_ = nullptr;
  std::vector<Label> labels_;
};

}  // namespace berth::scheduler
