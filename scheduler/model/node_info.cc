// SPDX-License-Identifier: Apache-2.0
#include "scheduler/model/node_info.h"

#include <algorithm>
#include <limits>

namespace berth::scheduler {

void ResourceColumns::SumColumn::Resize(size_t slots) {
  exact_.resize(slots);
  values_.resize(slots);
}

void ResourceColumns::SumColumn::Add(Slot slot, int64_t amount, int sign) {
  constexpr Int128 kMin = std::numeric_limits<int64_t>::min();
  constexpr Int128 kMax = std::numeric_limits<int64_t>::max();
  exact_[slot] += sign * static_cast<Int128>(amount);
  values_[slot] = static_cast<int64_t>(std::clamp(exact_[slot], kMin, kMax));
}

void ResourceColumns::SumColumn::Clear(Slot slot) {
  exact_[slot] = 0;
  values_[slot] = 0;
}

void ResourceColumns::Resize(size_t slots) {
  slots_ = slots;
  for (auto& column : fixed_allocatable_) column.resize(slots);
  for (SumColumn& column : fixed_requested_) column.Resize(slots);
  non_zero_milli_cpu_.Resize(slots);
  non_zero_memory_.Resize(slots);
  for (auto& [name, column] : scalars_) column.Resize(slots);
}

int64_t ResourceColumns::scalar_allocatable(Symbol name, Slot slot) const {
  const auto column = scalars_.find(name);
  return column == scalars_.end() ? 0 : column->second.allocatable()[slot];
}

int64_t ResourceColumns::scalar_requested(Symbol name, Slot slot) const {
  const auto column = scalars_.find(name);
  return column == scalars_.end() ? 0 : column->second.requested()[slot];
}

std::span<const int64_t> ResourceColumns::scalar_allocatable(Symbol name) const {
  const auto column = scalars_.find(name);
  if (column == scalars_.end()) return {};
  return column->second.allocatable();
}

std::span<const int64_t> ResourceColumns::scalar_requested(Symbol name) const {
  const auto column = scalars_.find(name);
  if (column == scalars_.end()) return {};
  return column->second.requested().values();
}

ResourceColumns::ScalarColumn::ScalarColumn(Word name, size_t slots) : name_(std::move(name)) {
  Resize(slots);
}

void ResourceColumns::ScalarColumn::Resize(size_t slots) {
  allocatable_.resize(slots);
  requested_.Resize(slots);
}

void ResourceColumns::ScalarColumn::Recount(bool was_used, bool is_used) {
  used_ += is_used ? 1 : 0;
  used_ -= was_used ? 1 : 0;
}

void ResourceColumns::ScalarColumn::SetAllocatable(Slot slot, int64_t amount) {
  Recount(allocatable_[slot] != 0, amount != 0);
  allocatable_[slot] = amount;
}

void ResourceColumns::ScalarColumn::AddRequested(Slot slot, int64_t amount, int sign) {
  const bool was_zero = requested_.IsZero(slot);
  requested_.Add(slot, amount, sign);
  Recount(!was_zero, !requested_.IsZero(slot));
}

void ResourceColumns::ScalarColumn::ClearRequested(Slot slot) {
  Recount(!requested_.IsZero(slot), false);
  requested_.Clear(slot);
}

ResourceColumns::ScalarColumn& ResourceColumns::Scalar(const Word& name) {
  return scalars_.try_emplace(name, name, slots_).first->second;
}

void ResourceColumns::SetAllocatable(Slot slot, const Resources& amount, int64_t pods) {
  fixed_allocatable_[kMilliCpu][slot] = amount.milli_cpu;
  fixed_allocatable_[kMemory][slot] = amount.memory;
  fixed_allocatable_[kEphemeralStorage][slot] = amount.ephemeral_storage;
  fixed_allocatable_[kPods][slot] = pods;
  for (const auto& [name, scalar] : amount.scalars) {
    if (scalar != 0) Scalar(name);
  }
  for (auto& [name, column] : scalars_) column.SetAllocatable(slot, amount.Scalar(name));
  DropUnused();
}

void ResourceColumns::Account(Slot slot, const PodInfo& pod, int sign) {
  const Resources& amount = pod.accounted();
  fixed_requested_[kMilliCpu].Add(slot, amount.milli_cpu, sign);
  fixed_requested_[kMemory].Add(slot, amount.memory, sign);
  fixed_requested_[kEphemeralStorage].Add(slot, amount.ephemeral_storage, sign);
  fixed_requested_[kPods].Add(slot, 1, sign);
  non_zero_milli_cpu_.Add(slot, pod.non_zero_milli_cpu(), sign);
  non_zero_memory_.Add(slot, pod.non_zero_memory(), sign);
  if (amount.scalars.empty()) return;
  for (const auto& [name, scalar] : amount.scalars) {
    if (scalar != 0) Scalar(name).AddRequested(slot, scalar, sign);
  }
  DropUnused();
}

void ResourceColumns::AddPod(Slot slot, const PodInfo& pod) { Account(slot, pod, +1); }

void ResourceColumns::RemovePod(Slot slot, const PodInfo& pod) { Account(slot, pod, -1); }

void ResourceColumns::Clear(Slot slot) {
  SetAllocatable(slot, Resources(), 0);
  for (SumColumn& column : fixed_requested_) column.Clear(slot);
  non_zero_milli_cpu_.Clear(slot);
  non_zero_memory_.Clear(slot);
  for (auto& [name, column] : scalars_) column.ClearRequested(slot);
  DropUnused();
}

void ResourceColumns::DropUnused() {
  std::erase_if(scalars_, [](const auto& column) { return column.second.unused(); });
}

bool NodeView::IsRemoved(const PodInfo& pod) const {
  if (delta_ == nullptr) return false;
  return std::any_of(delta_->removed.begin(), delta_->removed.end(), [&pod](const auto& removed) {
    return removed.get() == &pod || removed->uid() == pod.uid();
  });
}

template <class Amount>
int64_t NodeView::WithDelta(int64_t base, Amount&& amount_of) const {
  if (delta_ == nullptr) return base;
  for (const auto& pod : delta_->removed) base = SaturatingSubtract(base, amount_of(*pod));
  for (const auto& pod : delta_->added) base = SaturatingAdd(base, amount_of(*pod));
  return base;
}

int64_t NodeView::Requested(ResourceColumns::Fixed resource) const {
  return WithDelta(columns_->requested(resource, slot()), [resource](const PodInfo& pod) {
    switch (resource) {
      case ResourceColumns::kMilliCpu:
        return pod.accounted().milli_cpu;
      case ResourceColumns::kMemory:
        return pod.accounted().memory;
      case ResourceColumns::kEphemeralStorage:
        return pod.accounted().ephemeral_storage;
      case ResourceColumns::kPods:
      case ResourceColumns::kFixedCount:
        break;
    }
    return int64_t{1};
  });
}

int64_t NodeView::NonZeroMilliCpu() const {
  return WithDelta(columns_->non_zero_milli_cpu(slot()),
                   [](const PodInfo& pod) { return pod.non_zero_milli_cpu(); });
}

int64_t NodeView::NonZeroMemory() const {
  return WithDelta(columns_->non_zero_memory(slot()),
                   [](const PodInfo& pod) { return pod.non_zero_memory(); });
}

int64_t NodeView::RequestedScalar(Symbol name) const {
  return WithDelta(columns_->scalar_requested(name, slot()),
                   [name](const PodInfo& pod) { return pod.accounted().Scalar(name); });
}

}  // namespace berth::scheduler
