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
  for (auto& [name, column] : scalars_) column.Resize(slots);
}

int64_t ResourceColumns::scalar_allocatable(Symbol name, Slot slot) const {
  const auto column = scalars_.find(name);
  return column == scalars_.end() ? 0 : column->second.allocatable()[slot];
}

int64_t ResourceColumns::scalar_requested(Symbol name, Slot slot) const {
  const auto column = scalars_.find(name);
  return column == scalars_.end() ? Nearest(Unoffered(name, slot))
                                  : column->second.requested()[slot];
}

int64_t ResourceColumns::scalar_requested(Symbol name, Slot slot, Int128 more) const {
  const auto column = scalars_.find(name);
  return column == scalars_.end() ? Nearest(Unoffered(name, slot) + more)
                                  : column->second.requested().With(slot, more);
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

void ResourceColumns::ScalarColumn::SetAllocatable(Slot slot, int64_t amount) {
  offering_ += amount != 0 ? 1 : 0;
  offering_ -= allocatable_[slot] != 0 ? 1 : 0;
  allocatable_[slot] = amount;
}

// Returns the column of the resource. A new column takes over the requests of the placed pods.
ResourceColumns::ScalarColumn& ResourceColumns::Offer(const Word& name) {
  const auto [place, is_new] = scalars_.try_emplace(name, name, slots_);
  ScalarColumn& column = place->second;
  if (!is_new) return column;
  const Symbol symbol = name;
  auto sum = unoffered_.lower_bound({symbol, 0});
  while (sum != unoffered_.end() && sum->first.first == symbol) {
    column.AddRequested(sum->first.second, sum->second.exact);
    sum = unoffered_.erase(sum);
  }
  return column;
}

// Records that the node no longer offers the resource. If it was the last one, the column is
// replaced by the sums that are not 0.
void ResourceColumns::Withdraw(Symbol name, Slot slot) {
  const auto place = scalars_.find(name);
  ScalarColumn& column = place->second;
  column.SetAllocatable(slot, 0);
  if (column.is_offered()) return;
  for (Slot each = 0; each < slots_; ++each) {
    const Int128 exact = column.requested().exact(each);
    if (exact != 0) unoffered_.emplace(std::pair(name, each), UnofferedSum{column.name(), exact});
  }
  scalars_.erase(place);
}

void ResourceColumns::AddScalar(const Word& name, Slot slot, Int128 amount) {
  if (const auto column = scalars_.find(name); column != scalars_.end()) {
    return column->second.AddRequested(slot, amount);
  }
  const auto sum = unoffered_.try_emplace({name, slot}, UnofferedSum{name}).first;
  sum->second.exact += amount;
  if (sum->second.exact == 0) unoffered_.erase(sum);
}

Int128 ResourceColumns::Unoffered(Symbol name, Slot slot) const {
  const auto sum = unoffered_.find({name, slot});
  return sum == unoffered_.end() ? 0 : sum->second.exact;
}

void ResourceColumns::SetAllocatable(Slot slot, const Resources& amount, int64_t pods) {
  fixed_allocatable_[kMilliCpu][slot] = amount.milli_cpu;
  fixed_allocatable_[kMemory][slot] = amount.memory;
  fixed_allocatable_[kEphemeralStorage][slot] = amount.ephemeral_storage;
  fixed_allocatable_[kPods][slot] = pods;
  const std::vector<Symbol> before = std::exchange(offered_[slot], {});
  for (const auto& [name, scalar] : amount.scalars) {
    if (scalar == 0) continue;
    Offer(name).SetAllocatable(slot, scalar);
    offered_[slot].push_back(name);
  }
  for (const Symbol name : before) {
    if (amount.Scalar(name) == 0) Withdraw(name, slot);
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
  if (delta_ == nullptr) return columns_->scalar_requested(name, slot());
  return columns_->scalar_requested(name, slot(), delta_->scalar_requested(name));
}

}  // namespace berth::scheduler
