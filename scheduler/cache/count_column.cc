// SPDX-License-Identifier: Apache-2.0
#include "scheduler/cache/count_column.h"

#include <algorithm>

namespace berth::scheduler {

void CountedNodes::Update(Slot slot) {
  if (nodes_.size() < topology_->bound()) {
    nodes_.resize(topology_->bound());
    for (DomainSums* sums : sums_) sums->Resize(nodes_.size());
  }
  const Domain old_domain = of_slots_[slot];
  const Domain domain = members_->Has(slot) ? topology_->OfSlots()[slot] : kNoDomain;
  if (domain == old_domain) return;
  if (old_domain != kNoDomain) {
    const bool closes = --nodes_[old_domain] == 0;
    for (DomainSums* sums : sums_) sums->Exit(slot, old_domain, closes);
  }
  of_slots_[slot] = domain;
  if (domain != kNoDomain) {
    const bool opens = nodes_[domain]++ == 0;
    for (DomainSums* sums : sums_) sums->Enter(slot, domain, opens);
  }
}

void CountedNodes::Attach(DomainSums& sums) {
  sums.attached_at = sums_.size();
  sums_.push_back(&sums);
}

void CountedNodes::Detach(const DomainSums& sums) {
  DomainSums* const last = sums_.back();
  last->attached_at = sums.attached_at;
  sums_[sums.attached_at] = last;
  sums_.pop_back();
}

// Estimate: a key, and the symbols and the selectors of a query, each take about as much memory as
// its text.
constexpr size_t kCopiesOfQuery = 6;

DomainSums::DomainSums(const CountColumn& column, std::shared_ptr<CountedNodes> nodes)
    : column_(column), nodes_(std::move(nodes)), pods_(nodes_->Nodes().size()) {
  const std::span<const uint32_t> by_slot = column_.BySlot();
  for (Slot slot = 0; slot < by_slot.size(); ++slot) {
    const Domain domain = nodes_->Of(slot);
    if (domain == kNoDomain) continue;
    pods_[domain] += by_slot[slot];
    total_ += by_slot[slot];
  }
  std::vector<uint32_t> open;
  for (Domain domain = 0; domain < pods_.size(); ++domain) {
    if (nodes_->Nodes()[domain] > 0) open.push_back(pods_[domain]);
  }
  levels_ = SumLevels(std::move(open));
  nodes_->Attach(*this);
}

uint32_t DomainSums::LowestWithout(Domain domain) const {
  const bool counts = domain < pods_.size() && nodes_->Nodes()[domain] > 0;
  return counts ? levels_.LowestBut(pods_[domain]) : lowest();
}

void DomainSums::Change(Slot slot, int by) {
  upkeep.Changed();
  const Domain domain = nodes_->Of(slot);
  if (domain == kNoDomain) return;
  if (by > 0) {
    levels_.Raise(pods_[domain]++);
  } else {
    levels_.Lower(pods_[domain]--);
  }
  total_ += static_cast<uint64_t>(by);
}

void DomainSums::Enter(Slot slot, Domain domain, bool opens) {
  if (opens) levels_.Add(0);
  Add(domain, column_.BySlot()[slot]);
}

void DomainSums::Exit(Slot slot, Domain domain, bool closes) {
  Add(domain, -int64_t{column_.BySlot()[slot]});
  if (closes) levels_.Remove(0);
}

void DomainSums::Add(Domain domain, int64_t pods) {
  if (pods == 0) return;
  levels_.Remove(pods_[domain]);
  pods_[domain] = static_cast<uint32_t>(pods_[domain] + pods);
  levels_.Add(pods_[domain]);
  total_ += static_cast<uint64_t>(pods);
}

CountColumn::CountColumn(const PodQuery& query, Vocabulary& words)
    : query_(query),
      query_bytes_(kCopiesOfQuery * query.Key().size()),
      matchers_(MatchersOf(query, words)) {
  reads_namespaces_ = std::ranges::any_of(matchers_, &PodMatcher::ReadsNamespaces);
}

bool CountColumn::Change(const PodClass::Member& pod, int by) {
  if (!query_.Counts(pod.terminating)) return true;
  upkeep_.Changed();
  by_slot_[pod.slot] = static_cast<uint32_t>(static_cast<int64_t>(by_slot_[pod.slot]) + by);
  total_ += static_cast<uint64_t>(by);
  bool worth_it = IsWorthIt();
  for (const auto& sums : sums_) {
    sums->Change(pod.slot, by);
    worth_it &= sums->upkeep.IsWorthIt();
  }
  return worth_it;
}

DomainSums* CountColumn::Find(const std::string& topology_key,
                              const std::string& subset_key) const {
  const auto found = std::ranges::find_if(
      sums_, [&](const auto& sums) { return sums->nodes().Is(topology_key, subset_key); });
  return found == sums_.end() ? nullptr : found->get();
}

DomainSums& CountColumn::Add(std::shared_ptr<CountedNodes> nodes) {
  return *sums_.emplace_back(std::make_unique<DomainSums>(*this, std::move(nodes)));
}

void CountColumn::Drop(const DomainSums& sums) {
  std::erase_if(sums_, [&sums](const auto& each) { return each.get() == &sums; });
}

size_t CountColumn::bytes() const {
  constexpr size_t kColumn = 512;
  return kColumn + query_bytes_ + by_slot_.size() * sizeof(uint32_t);
}

}  // namespace berth::scheduler
