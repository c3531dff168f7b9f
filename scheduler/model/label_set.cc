// SPDX-License-Identifier: Apache-2.0
#include "scheduler/model/label_set.h"

#include <algorithm>

namespace berth::scheduler {

LabelSet::LabelSet(const api::StringMap& labels, Vocabulary& words) : words_(&words) {
  labels_.reserve(labels.size());
  for (const auto& [key, value] : labels) labels_.emplace_back(words.Take(key), words.Take(value));
  std::sort(labels_.begin(), labels_.end());
}

LabelSet::LabelSet(const LabelSet& other) : words_(other.words_), labels_(other.labels_) {
  for (const auto& [key, value] : labels_) {
    words_->Hold(key);
    words_->Hold(value);
  }
}

LabelSet::LabelSet(LabelSet&& other) noexcept
    : words_(other.words_), labels_(std::move(other.labels_)) {
  other.labels_.clear();
}

LabelSet& LabelSet::operator=(LabelSet other) noexcept {
  std::swap(words_, other.words_);
  std::swap(labels_, other.labels_);
  return *this;
}

LabelSet::~LabelSet() {
  for (const auto& [key, value] : labels_) {
    words_->Drop(key);
    words_->Drop(value);
  }
}

std::optional<Symbol> LabelSet::Value(Symbol key) const {
  const auto label =
      std::lower_bound(labels_.begin(), labels_.end(), key,
                       [](const Label& each, Symbol symbol) { return each.first < symbol; });
  if (label == labels_.end() || label->first != key) return std::nullopt;
  return label->second;
}

bool LabelSet::Matches(const api::Selector& selector) const {
  if (selector.IsNothing()) return false;
  return std::ranges::all_of(selector.requirements(), [this](const api::Requirement& requirement) {
    if (labels_.empty()) return requirement.MatchesValue(nullptr);
    const std::optional<Symbol> value = Value(words_->Find(requirement.key));
    return requirement.MatchesValue(value ? &words_->Text(*value) : nullptr);
  });
}

}  // namespace berth::scheduler
