// SPDX-License-Identifier: Apache-2.0
#include "scheduler/model/node_info.h"

#include <algorithm>
#include <limits>

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

void ResourceColumns::SumColumn::Add(Slot slot, int64_t amount, int sign) {
  exact_[slot] += sign * static_cast<Int128>(amount);
  values_[slot] = Nearest(exact_[slot]);
}

int64_t ResourceColumns::SumColumn::With(Slot slot, Int128 more) const {
  return Nearest(exact_[slot] + more);
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

int64_t ResourceColumns::scalar_requested(Symbol name, Slot slot, Int128 more) const {
  const auto column = scalars_.find(name);
  return column == scalars_.end() ? Nearest(more) : column->second.requested().With(slot, more);
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

void NodeDelta::Add(std::shared_ptr<const PodInfo> pod) {
  Account(*pod, +1);
  if (!pod->host_ports().empty()) {
    if (!used_ports_) used_ports_ = node_->used_ports;
    used_ports_->insert(used_ports_->end(), pod->host_ports().begin(), pod->host_ports().end());
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
  for (const HostPort& port : pod.host_ports()) std::erase(*used_ports_, port);
}

void NodeDelta::Restore(const PodInfo& pod) {
  Mark(pod, false);
  Account(pod, +1);
  if (pod.host_ports().empty()) return;
  used_ports_->insert(used_ports_->end(), pod.host_ports().begin(), pod.host_ports().end());
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
    const Symbol symbol = name;
    const auto found = std::find_if(scalars_.begin(), scalars_.end(),
                                    [&](const auto& sum) { return sum.first == symbol; });
    if (found != scalars_.end()) {
      found->second += sign * static_cast<Int128>(scalar);
    } else {
      scalars_.emplace_back(symbol, sign * static_cast<Int128>(scalar));
    }
  }
}

Int128 NodeDelta::scalar_requested(Symbol name) const {
  const auto found = std::find_if(scalars_.begin(), scalars_.end(),
                                  [&](const auto& sum) { return sum.first == name; });
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
  if (delta_ == nullptr) return columns_->scalar_requested(name, slot());
  return columns_->scalar_requested(name, slot(), delta_->scalar_requested(name));
}

}  // namespace berth::scheduler
