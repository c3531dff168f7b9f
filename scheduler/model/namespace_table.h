// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <unordered_map>

#include "api/core.h"
#include "scheduler/model/label_set.h"
#include "scheduler/model/vocabulary.h"

namespace berth::scheduler {

// NamespaceTable holds the namespaces with their labels. Its readers depend on Epoch::kNamespaces.
// Empty while no plugin reads namespaces. Written by the cache.
class NamespaceTable {
 public:
  struct Entry {
    Word name;
    LabelSet labels;
  };

  explicit NamespaceTable(Vocabulary& words) : words_(words) {}

  // Returns null for an unknown namespace.
  const LabelSet* LabelsOf(Symbol name) const;
  // Same, but returns an empty set for an unknown namespace.
  const LabelSet& LabelsOrNone(Symbol name) const;
  // Returns all namespaces, by name.
  const std::unordered_map<Symbol, const Entry*>& all() const { return by_name_; }

  // Stores the newest state of a namespace. Reports whether it is new or its labels changed.
  bool Put(const api::Namespace& object);
  // Returns the name of the removed namespace, or nullopt if no namespace has that UID.
  std::optional<Word> Remove(const std::string& uid);
  void Clear();

 private:
  Vocabulary& words_;
  std::unordered_map<std::string, Entry> by_uid_;
  // The newest namespace with each name. If there are two, the older one is about to be deleted.
  std::unordered_map<Symbol, const Entry*> by_name_;
};

}  // namespace berth::scheduler
