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

ResourceColumns::Amounts ScoredResources::AmountsOf(const NodeView& node,
                                                    const Demand& demand) const {
  const bool non_zero = usage_ == Usage::kNonZero;
  switch (demand.kind) {
    case Kind::kCpu:
      return {node.Allocatable(ResourceColumns::kMilliCpu),
              non_zero ? node.NonZeroMilliCpu() : node.Requested(ResourceColumns::kMilliCpu)};
    case Kind::kMemory:
      return {node.Allocatable(ResourceColumns::kMemory),
              non_zero ? node.NonZeroMemory() : node.Requested(ResourceColumns::kMemory)};
    case Kind::kEphemeralStorage:
      return {node.Allocatable(ResourceColumns::kEphemeralStorage),
              node.Requested(ResourceColumns::kEphemeralStorage)};
    case Kind::kScalar:
      return {node.AllocatableScalar(demand.name), node.RequestedScalar(demand.name)};
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
  const auto add = [&](const Demand& demand, ResourceColumns::View amounts) {
    result.push_back({amounts, demand.weight, demand.amount});
  };
  for (const Demand& demand : demands) {
    switch (demand.kind) {
      case Kind::kCpu:
        add(demand, non_zero
                        ? ResourceColumns::View(columns.allocatable(ResourceColumns::kMilliCpu),
                                                columns.non_zero_milli_cpu())
                        : columns.ViewOf(ResourceColumns::kMilliCpu));
        break;
      case Kind::kMemory:
        add(demand, non_zero ? ResourceColumns::View(columns.allocatable(ResourceColumns::kMemory),
                                                     columns.non_zero_memory())
                             : columns.ViewOf(ResourceColumns::kMemory));
        break;
      case Kind::kEphemeralStorage:
        add(demand, columns.ViewOf(ResourceColumns::kEphemeralStorage));
        break;
      case Kind::kScalar:
        if (columns.IsOffered(demand.name)) add(demand, columns.ViewOf(demand.name));
        break;
      case Kind::kOther:
        break;
    }
  }
  return result;
}

}  // namespace berth::scheduler
