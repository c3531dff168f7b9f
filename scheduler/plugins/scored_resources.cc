// SPDX-License-Identifier: Apache-2.0
#include "scheduler/plugins/scored_resources.h"

namespace berth::scheduler {
namespace {

ScoredResources::Kind KindOf(std::string_view name) {
  if (name == "cpu") return ScoredResources::Kind::kCpu;
  if (name == "memory") return ScoredResources::Kind::kMemory;
  if (name == "ephemeral-storage") return ScoredResources::Kind::kEphemeralStorage;
  return IsScalarResource(name) ? ScoredResources::Kind::kScalar : ScoredResources::Kind::kOther;
}

}  // namespace

std::vector<WeightedResource> WithDefaults(std::vector<WeightedResource> resources) {
  if (resources.empty()) resources = {{"cpu", 1}, {"memory", 1}};
  for (WeightedResource& resource : resources) {
    if (resource.weight == 0) resource.weight = 1;
  }
  return resources;
}

ScoredResources::ScoredResources(std::span<const WeightedResource> resources, Usage usage,
                                 Vocabulary& words)
    : usage_(usage) {
  for (const WeightedResource& resource : resources) {
    entries_.push_back({KindOf(resource.name), words.Intern(resource.name), resource.weight});
  }
}

int64_t ScoredResources::AmountOf(const Entry& entry, const Resources& requests) {
  switch (entry.kind) {
    case Kind::kCpu:
      return requests.milli_cpu;
    case Kind::kMemory:
      return requests.memory;
    case Kind::kEphemeralStorage:
      return requests.ephemeral_storage;
    case Kind::kScalar:
      return requests.Scalar(entry.name);
    case Kind::kOther:
      break;
  }
  return 0;
}

void ScoredResources::AddTo(KeyText& text, const Resources& requests) const {
  for (const Entry& entry : entries_) text.Add(AmountOf(entry, requests));
}

std::vector<ScoredResources::Demand> ScoredResources::DemandsOf(const Resources& requests) const {
  std::vector<Demand> demands;
  demands.reserve(entries_.size());
  for (const Entry& entry : entries_) {
    const int64_t amount = AmountOf(entry, requests);
    if (entry.kind == Kind::kOther || (entry.kind == Kind::kScalar && amount == 0)) continue;
    demands.push_back({entry.kind, entry.name, entry.weight, amount});
  }
  return demands;
}

ScoredResources::Share ScoredResources::ShareOf(const NodeView& node, const Demand& demand) const {
  const bool non_zero = usage_ == Usage::kNonZero;
  switch (demand.kind) {
    case Kind::kCpu:
      return {non_zero ? node.NonZeroMilliCpu() : node.Requested(ResourceColumns::kMilliCpu),
              node.Allocatable(ResourceColumns::kMilliCpu)};
    case Kind::kMemory:
      return {non_zero ? node.NonZeroMemory() : node.Requested(ResourceColumns::kMemory),
              node.Allocatable(ResourceColumns::kMemory)};
    case Kind::kEphemeralStorage:
      return {node.Requested(ResourceColumns::kEphemeralStorage),
              node.Allocatable(ResourceColumns::kEphemeralStorage)};
    case Kind::kScalar:
      return {node.RequestedScalar(demand.name), node.AllocatableScalar(demand.name)};
    case Kind::kOther:
      break;
  }
  return {0, 0};
}

std::vector<ScoredResources::Column> ScoredResources::ColumnsOf(
    const ResourceColumns& columns, std::span<const Demand> demands) const {
  const bool non_zero = usage_ == Usage::kNonZero;
  std::vector<Column> result;
  result.reserve(demands.size());
  for (const Demand& demand : demands) {
    Column column{.weight = demand.weight, .amount = demand.amount};
    switch (demand.kind) {
      case Kind::kCpu:
        column.used =
            non_zero ? columns.non_zero_milli_cpu() : columns.requested(ResourceColumns::kMilliCpu);
        column.capacity = columns.allocatable(ResourceColumns::kMilliCpu);
        break;
      case Kind::kMemory:
        column.used =
            non_zero ? columns.non_zero_memory() : columns.requested(ResourceColumns::kMemory);
        column.capacity = columns.allocatable(ResourceColumns::kMemory);
        break;
      case Kind::kEphemeralStorage:
        column.used = columns.requested(ResourceColumns::kEphemeralStorage);
        column.capacity = columns.allocatable(ResourceColumns::kEphemeralStorage);
        break;
      case Kind::kScalar:
        column.used = columns.scalar_requested(demand.name);
        column.capacity = columns.scalar_allocatable(demand.name);
        break;
      case Kind::kOther:
        break;
    }
    if (!column.capacity.empty()) result.push_back(column);
  }
  return result;
}

}  // namespace berth::scheduler
