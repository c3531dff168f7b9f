// SPDX-License-Identifier: Apache-2.0
#include "scheduler/model/node_info.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "base/check.h"

namespace berth::scheduler {
namespace {

int64_t Nearest(Int128 sum) {
  constexpr Int128 kMin = std::numeric_limits<int64_t>::min();
  constexpr Int128 kMax = std::numeric_limits<int64_t>::max();
  return static_cast<int64_t>(std::clamp(sum, kMin, kMax));
}

}  // namespace

void ResourceColumns::SumColumn::Resize(size_t slots) {
  exact_.resize(slots);
  values_.resize(slots);
}

void ResourceColumns::SumColumn::Add(Slot slot, Int128 amount) {
  exact_[slot] += amount;
  values_[slot] = Nearest(exact_[slot]);
}

int64_t ResourceColumns::SumColumn::With(Slot slot, Int128 more) const {
  return Nearest(exact_[slot] + more);
}

void ResourceColumns::Resize(size_t slots) {
  slots_ = slots;
  for (auto& column : fixed_allocatable_) column.resize(slots);
  for (SumColumn& column : fixed_requested_) column.Resize(slots);
  non_zero_milli_cpu_.Resize(slots);
  non_zero_memory_.Resize(slots);
  offered_.resize(slots);
  for (auto& [name, scalar] : scalars_) {
    if (scalar.column == nullptr) continue;
    scalar.column->Resize(slots);
    Arrange(scalar);
  }
}

ResourceColumns::ScalarColumn* ResourceColumns::ColumnOf(Symbol name) const {
  const auto scalar = scalars_.find(name);
  return scalar == scalars_.end() ? nullptr : scalar->second.column.get();
}

const ResourceColumns::SparseAmounts* ResourceColumns::SparseAt(Symbol name, Slot slot) const {
  const auto found = sparse_.find({name, slot});
  return found == sparse_.end() ? nullptr : &found->second;
}

ResourceColumns::Amounts ResourceColumns::ScalarAt(Symbol name, Slot slot) const {
  if (const ScalarColumn* column = ColumnOf(name)) {
    return {column->allocatable[slot], column->requested[slot]};
  }
  const SparseAmounts* sparse = SparseAt(name, slot);
  if (sparse == nullptr) return {};
  return {sparse->allocatable, Nearest(sparse->requested)};
}

int64_t ResourceColumns::scalar_requested(Symbol name, Slot slot, Int128 more) const {
  if (const ScalarColumn* column = ColumnOf(name)) return column->requested.With(slot, more);
  const SparseAmounts* sparse = SparseAt(name, slot);
  return Nearest((sparse == nullptr ? 0 : sparse->requested) + more);
}

ResourceColumns::View ResourceColumns::ViewOf(Symbol scalar) const {
  const ScalarColumn* column = ColumnOf(scalar);
  if (column == nullptr) return {*this, scalar};
  return {column->allocatable, column->requested.values()};
}

void ResourceColumns::ScalarColumn::Resize(size_t slots) {
  allocatable.resize(slots);
  requested.Resize(slots);
}

template <class Change>
void ResourceColumns::ChangeSparse(const Word& name, Slot slot, const Change& change) {
  const auto place = sparse_.try_emplace({name, slot}, SparseAmounts{name}).first;
  change(place->second);
  if (place->second.allocatable == 0 && place->second.requested == 0) sparse_.erase(place);
}

void ResourceColumns::SetScalar(const Word& name, Slot slot, int64_t allocatable) {
  Scalar& scalar = scalars_.try_emplace(name, Scalar{name}).first->second;
  scalar.offering += allocatable != 0 ? 1 : 0;
  scalar.offering -= ScalarAt(name, slot).allocatable != 0 ? 1 : 0;
  if (scalar.column != nullptr) {
    scalar.column->allocatable[slot] = allocatable;
  } else {
    ChangeSparse(name, slot, [&](SparseAmounts& node) { node.allocatable = allocatable; });
  }
  Arrange(scalar);
  if (scalar.offering == 0) scalars_.erase(name);
}

void ResourceColumns::AddScalar(const Word& name, Slot slot, Int128 amount) {
  if (ScalarColumn* column = ColumnOf(name)) return column->requested.Add(slot, amount);
  ChangeSparse(name, slot, [&](SparseAmounts& node) { node.requested += amount; });
}

void ResourceColumns::Arrange(Scalar& scalar) {
  const size_t offers = scalar.offering * kSlotsPerOffer;
  if (scalar.column == nullptr) {
    const bool is_worth_it = scalar_columns_ < kScalarColumns || offers >= slots_;
    if (scalar.offering > 0 && is_worth_it) MakeColumn(scalar);
  } else if (scalar.offering == 0 || (scalar_columns_ > kScalarColumns && 2 * offers < slots_)) {
    DropColumn(scalar);
  }
}

void ResourceColumns::MakeColumn(Scalar& scalar) {
  ++scalar_columns_;
  scalar.column = std::make_unique<ScalarColumn>();
  scalar.column->Resize(slots_);
  const Symbol name = scalar.name;
  auto next = sparse_.lower_bound({name, 0});
  while (next != sparse_.end() && next->first.first == name) {
    const auto& [key, node] = *next;
    scalar.column->allocatable[key.second] = node.allocatable;
    scalar.column->requested.Add(key.second, node.requested);
    next = sparse_.erase(next);
  }
}

void ResourceColumns::DropColumn(Scalar& scalar) {
  --scalar_columns_;
  const std::unique_ptr<ScalarColumn> column = std::move(scalar.column);
  for (Slot slot = 0; slot < column->allocatable.size(); ++slot) {
    const SparseAmounts node{scalar.name, column->allocatable[slot], column->requested.exact(slot)};
    if (node.allocatable == 0 && node.requested == 0) continue;
    sparse_.emplace(SparseKey(scalar.name, slot), node);
  }
}

void ResourceColumns::SetAllocatable(Slot slot, const Resources& amount, int64_t pods) {
  fixed_allocatable_[kMilliCpu][slot] = amount.milli_cpu;
  fixed_allocatable_[kMemory][slot] = amount.memory;
  fixed_allocatable_[kEphemeralStorage][slot] = amount.ephemeral_storage;
  fixed_allocatable_[kPods][slot] = pods;
  const std::vector<Symbol> before = std::exchange(offered_[slot], {});
  for (const auto& [name, scalar] : amount.scalars) {
    if (scalar == 0) continue;
    SetScalar(name, slot, scalar);
    offered_[slot].push_back(name);
  }
  for (const Symbol name : before) {
    if (amount.Scalar(name) == 0) SetScalar(scalars_.at(name).name, slot, 0);
  }
}

void ResourceColumns::Account(Slot slot, const PodInfo& pod, int sign) {
  const Resources& amount = pod.accounted();
  const auto signed_amount = [sign](int64_t value) { return sign * static_cast<Int128>(value); };
  fixed_requested_[kMilliCpu].Add(slot, signed_amount(amount.milli_cpu));
  fixed_requested_[kMemory].Add(slot, signed_amount(amount.memory));
  fixed_requested_[kEphemeralStorage].Add(slot, signed_amount(amount.ephemeral_storage));
  fixed_requested_[kPods].Add(slot, sign);
  non_zero_milli_cpu_.Add(slot, signed_amount(pod.non_zero_milli_cpu()));
  non_zero_memory_.Add(slot, signed_amount(pod.non_zero_memory()));
  for (const auto& [name, scalar] : amount.scalars) {
    if (scalar != 0) AddScalar(name, slot, signed_amount(scalar));
  }
}

void ResourceColumns::AddPod(Slot slot, const PodInfo& pod) { Account(slot, pod, +1); }

void ResourceColumns::RemovePod(Slot slot, const PodInfo& pod) { Account(slot, pod, -1); }

void NodeDelta::Add(std::shared_ptr<const PodInfo> pod) {
  Account(*pod, +1);
  if (!pod->host_ports().empty()) {
    if (!used_ports_) used_ports_ = node_->used_ports;
    used_ports_->Add(pod->host_ports());
  }
  added_.push_back(std::move(pod));
}

void NodeDelta::Remove(const PodInfo& pod) {
  Mark(pod, true);
  Account(pod, -1);
  if (pod.host_ports().empty()) return;
  if (!used_ports_) used_ports_ = node_->used_ports;
  // A port is freed even if another pod uses it, too, because upstream's set does not count ports:
  // kube-scheduler staging/src/k8s.io/kube-scheduler/framework/types.go, HostPortInfo.Remove.
  used_ports_->Free(pod.host_ports());
}

void NodeDelta::Restore(const PodInfo& pod) {
  Mark(pod, false);
  Account(pod, +1);
  if (pod.host_ports().empty()) return;
  used_ports_->Add(pod.host_ports());
}

void NodeDelta::Mark(const PodInfo& pod, bool removed) {
  const auto found = std::find_if(node_->pods.begin(), node_->pods.end(),
                                  [&](const auto& other) { return other.get() == &pod; });
  BERTH_CHECK(found != node_->pods.end(), "pod " + pod.Key() + " is not on the node");
  const auto place = static_cast<size_t>(found - node_->pods.begin());
  removed_.resize(node_->pods.size());
  BERTH_CHECK(removed_[place] != removed, "pod " + pod.Key() + " is removed once, or restored");
  removed_[place] = removed;
  removed_count_ += removed ? 1 : -1;
}

void NodeDelta::Account(const PodInfo& pod, int sign) {
  const Resources& amount = pod.accounted();
  fixed_[ResourceColumns::kMilliCpu] += sign * static_cast<Int128>(amount.milli_cpu);
  fixed_[ResourceColumns::kMemory] += sign * static_cast<Int128>(amount.memory);
  fixed_[ResourceColumns::kEphemeralStorage] +=
      sign * static_cast<Int128>(amount.ephemeral_storage);
  fixed_[ResourceColumns::kPods] += sign;
  non_zero_milli_cpu_ += sign * static_cast<Int128>(pod.non_zero_milli_cpu());
  non_zero_memory_ += sign * static_cast<Int128>(pod.non_zero_memory());
  for (const auto& [name, scalar] : amount.scalars) {
    scalars_[name] += sign * static_cast<Int128>(scalar);
  }
}

Int128 NodeDelta::scalar_requested(Symbol name) const {
  const auto found = scalars_.find(name);
  return found == scalars_.end() ? 0 : found->second;
}

int64_t NodeView::Requested(ResourceColumns::Fixed resource) const {
  if (delta_ == nullptr) return columns_->requested(resource, slot());
  return columns_->requested(resource, slot(), delta_->requested(resource));
}

int64_t NodeView::NonZeroMilliCpu() const {
  if (delta_ == nullptr) return columns_->non_zero_milli_cpu(slot());
  return columns_->non_zero_milli_cpu(slot(), delta_->non_zero_milli_cpu());
}

int64_t NodeView::NonZeroMemory() const {
  if (delta_ == nullptr) return columns_->non_zero_memory(slot());
  return columns_->non_zero_memory(slot(), delta_->non_zero_memory());
}

int64_t NodeView::RequestedScalar(Symbol name) const {
  if (delta_ == nullptr) return columns_->ScalarAt(name, slot()).requested;
  return columns_->scalar_requested(name, slot(), delta_->scalar_requested(name));
}

}  // namespace berth::scheduler
