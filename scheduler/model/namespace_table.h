// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <unordered_map>

#include "api/core.h"
#include "scheduler/model/label_set.h"
#include "scheduler/model/vocabulary.h"

namespace berth::scheduler {

// NamespaceTable is the namespaces with their labels. What reads it depends on Epoch::kNamespaces.
// It is empty while no plugin reads namespaces. The cache fills it.
class NamespaceTable {
 public:
  struct Entry {
    Word name;
    LabelSet labels;
  };

  explicit NamespaceTable(Vocabulary& words) : words_(words) {}

  // LabelsOf is null for a namespace that is not known.
  const LabelSet* LabelsOf(Symbol name) const;
  // LabelsOrNone is for those that take it for one without labels.
  const LabelSet& LabelsOrNone(Symbol name) const;
  // all is each namespace once, by name.
  const std::unordered_map<Symbol, const Entry*>& all() const { return by_name_; }

  // Put takes the newest state of a namespace; says whether it is new or has other labels.
  bool Put(const api::Namespace& object);
  // Remove gives the name that is free now; nothing when no namespace with that UID had it.
  std::optional<Word> Remove(const std::string& uid);
  void Clear();

 private:
  Vocabulary& words_;
  std::unordered_map<std::string, Entry> by_uid_;
  // The newest of each name, which is held by it: of two, one is about to be told as gone.
  std::unordered_map<Symbol, const Entry*> by_name_;
};

}  // namespace berth::scheduler
