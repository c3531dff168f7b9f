// SPDX-License-Identifier: Apache-2.0
#include "scheduler/model/namespace_table.h"

#include <utility>

namespace berth::scheduler {

const LabelSet* NamespaceTable::LabelsOf(Symbol name) const {
  const auto found = by_name_.find(name);
  return found == by_name_.end() ? nullptr : &found->second->labels;
}

const LabelSet& NamespaceTable::LabelsOrNone(Symbol name) const {
  static const LabelSet kNone;
  const LabelSet* labels = LabelsOf(name);
  return labels == nullptr ? kNone : *labels;
}

bool NamespaceTable::Put(const api::Namespace& object) {
  Entry entry{words_.Intern(object.metadata.name), LabelSet(object.metadata.labels, words_)};
  const LabelSet* known = LabelsOf(entry.name);
  const bool is_same = known != nullptr && *known == entry.labels;
  Entry& kept = by_uid_[object.metadata.uid];
  kept = std::move(entry);
  by_name_.insert_or_assign(kept.name, &kept);
  return !is_same;
}

std::optional<Word> NamespaceTable::Remove(const std::string& uid) {
  const auto gone = by_uid_.extract(uid);
  if (gone.empty()) return std::nullopt;
  const auto named = by_name_.find(gone.mapped().name);
  if (named->second != &gone.mapped()) return std::nullopt;
  by_name_.erase(named);
  return std::move(gone.mapped().name);
}

void NamespaceTable::Clear() {
  by_name_.clear();
  by_uid_.clear();
}

}  // namespace berth::scheduler
