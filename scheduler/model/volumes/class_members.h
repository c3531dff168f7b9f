// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <set>
#include <unordered_map>
#include <vector>

#include "scheduler/model/node_info.h"
#include "scheduler/model/vocabulary.h"
#include "scheduler/model/volumes/volume_affinity.h"

namespace berth::scheduler {

// ClassMembers is the members of one StorageClass in the order of `Less`. Members with a pin are
// indexed by the value of its label, so that a node sees only reachable ones. Invariant: a member
// is in `wide`, or under each value of its pin. Requires: members outlive their entry.
template <class Member, class Less>
class ClassMembers {
 public:
  using Set = std::set<const Member*, Less>;

  void Add(const Member& member, const std::optional<LabelPin>& pin, Vocabulary& words) {
    if (!pin) {
      wide_.insert(&member);
      return;
    }
    OfKey& label = LabelOf(words.Intern(pin->key));
    for (const std::string& value : pin->values) {
      const Word word = words.Intern(value);
      OfValue& place = label.by_value[word];
      place.value = word;
      place.members.insert(&member);
    }
  }
  void Remove(const Member& member, const std::optional<LabelPin>& pin, Vocabulary& words) {
    if (!pin) {
      wide_.erase(&member);
      return;
    }
    OfKey& label = LabelOf(words.Intern(pin->key));
    for (const std::string& value : pin->values) {
      const Word word = words.Intern(value);
      const auto place = label.by_value.find(word);
      place->second.members.erase(&member);
      if (place->second.members.empty()) label.by_value.erase(place);
    }
    std::erase_if(labels_, [](const OfKey& of_key) { return of_key.by_value.empty(); });
  }

  bool empty() const { return wide_.empty() && labels_.empty(); }
  const Set& wide() const { return wide_; }
  // Calls visit(const Set&) with the members under the node's values, once for each label.
  template <class Visit>
  void ForEachPinnedTo(const NodeInfo& node, Visit&& visit) const {
    for (const OfKey& label : labels_) {
      const auto value = node.labels.Value(label.key);
      if (!value) continue;
      const auto place = label.by_value.find(*value);
      if (place != label.by_value.end()) visit(place->second.members);
    }
  }

 private:
  struct OfValue {
    Word value;  // keeps the symbol alive
    Set members;
  };
  struct OfKey {
    Word key;
    std::unordered_map<Symbol, OfValue> by_value;
  };
  OfKey& LabelOf(const Word& key) {
    for (OfKey& label : labels_) {
      if (label.key == key) return label;
    }
    labels_.push_back({key, {}});
    return labels_.back();
  }

  Set wide_;
  std::vector<OfKey> labels_;  // few
};

}  // namespace berth::scheduler
