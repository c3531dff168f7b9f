// SPDX-License-Identifier: Apache-2.0
#include "scheduler/cache/topology.h"

#include <optional>

namespace berth::scheduler {

Topology::Topology(std::string key, Vocabulary& words, const std::vector<Domain>& without_nodes)
    : words_(words), without_nodes_(without_nodes), key_(words.Intern(key)) {}

Domain Topology::Move(const NodeInfo& info) {
  std::optional<Symbol> value;
  if (info.node != nullptr) value = info.labels.Value(key_);
  const Domain old_domain = OfSlots()[info.slot];
  if (old_domain == kNoDomain && !value) return kNoDomain;
  if (old_domain != kNoDomain && value && domains_[old_domain].value.symbol() == *value) {
    return old_domain;
  }
  if (nodes_ == 0) of_slots_ = without_nodes_;
  of_slots_[info.slot] = value ? Enter(*value) : kNoDomain;
  if (old_domain != kNoDomain) Exit(old_domain);
  if (nodes_ == 0) of_slots_ = {};
  return old_domain;
}

Domain Topology::Enter(Symbol value) {
  ++nodes_;
  if (const auto known = by_value_.find(value); known != by_value_.end()) {
    ++domains_[known->second].nodes;
    return known->second;
  }
  Domain domain;
  if (free_.empty()) {
    domain = static_cast<Domain>(domains_.size());
    domains_.emplace_back();
  } else {
    domain = free_.back();
    free_.pop_back();
  }
  domains_[domain] = {words_.Intern(words_.Text(value)), 1};
  by_value_.emplace(value, domain);
  return domain;
}

void Topology::Exit(Domain domain) {
  --nodes_;
  if (--domains_[domain].nodes > 0) return;
  by_value_.erase(domains_[domain].value.symbol());
  domains_[domain] = {};
  free_.push_back(domain);
}

size_t Topology::bytes() const {
  // Approximate size of a hash table node.
  constexpr size_t kRow = 4 * sizeof(void*);
  return of_slots_.size() * sizeof(Domain) + domains_.size() * sizeof(OfValue) +
         by_value_.size() * kRow;
}

}  // namespace berth::scheduler
