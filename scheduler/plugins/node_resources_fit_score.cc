// SPDX-License-Identifier: Apache-2.0
// The scores of NodeResourcesFit.
#include "scheduler/plugins/node_resources_fit.h"

namespace berth::scheduler {

NodeResourcesFit::ScoredRequests NodeResourcesFit::ScoredRequestsOf(const PodInfo& pod) const {
  const Resources requests = ScoringRequests(pod, words_);
  ScoredRequests scored;
  for (const ScoredResource& resource : scored_) {
    switch (resource.kind) {
      case ResourceKind::kCpu:
        scored.amounts.push_back(requests.milli_cpu);
        break;
      case ResourceKind::kMemory:
        scored.amounts.push_back(requests.memory);
        break;
      case ResourceKind::kEphemeralStorage:
        scored.amounts.push_back(requests.ephemeral_storage);
        break;
      case ResourceKind::kScalar:
        scored.amounts.push_back(requests.Scalar(resource.name));
        break;
      case ResourceKind::kOther:
        scored.amounts.push_back(0);
        break;
    }
  }
  return scored;
}

Status NodeResourcesFit::PreScore(CycleContext& cycle, std::span<const Slot>) const {
  cycle.state.Write(ScoredRequestsOf(cycle.pod));
  return Status::Success();
}

int64_t NodeResourcesFit::Score(const CycleContext& cycle, const NodeView& node) const {
  const auto* written = cycle.state.Read<ScoredRequests>();
  const ScoredRequests requests = written != nullptr ? *written : ScoredRequestsOf(cycle.pod);
  ResourceScoring::Tally tally(scoring_);
  for (size_t i = 0; i < scored_.size(); ++i) {
    const ScoredResource& resource = scored_[i];
    const int64_t amount = requests.amounts[i];
    const auto add = [&](int64_t used, int64_t capacity) {
      tally.Add({SaturatingAdd(used, amount), capacity, resource.weight});
    };
    switch (resource.kind) {
      case ResourceKind::kCpu:
        add(node.NonZeroMilliCpu(), node.Allocatable(ResourceColumns::kMilliCpu));
        break;
      case ResourceKind::kMemory:
        add(node.NonZeroMemory(), node.Allocatable(ResourceColumns::kMemory));
        break;
      case ResourceKind::kEphemeralStorage:
        add(node.Requested(ResourceColumns::kEphemeralStorage),
            node.Allocatable(ResourceColumns::kEphemeralStorage));
        break;
      case ResourceKind::kScalar:
        if (amount == 0) break;  // a pod that does not ask for it is not judged by it
        add(node.RequestedScalar(resource.name), node.AllocatableScalar(resource.name));
        break;
      case ResourceKind::kOther:
        break;
    }
  }
  return tally.Score();
}

void NodeResourcesFit::ScoreBatch(const CycleContext& cycle, std::span<const Slot> slots,
                                  std::span<int64_t> out) const {
  struct Column {
    std::span<const int64_t> used, capacity;
    int64_t amount, weight;
  };
  const auto* written = cycle.state.Read<ScoredRequests>();
  const ScoredRequests requests = written != nullptr ? *written : ScoredRequestsOf(cycle.pod);
  const ResourceColumns& columns = cycle.snapshot.Columns();
  std::vector<Column> counted;
  for (size_t i = 0; i < scored_.size(); ++i) {
    Column column{.amount = requests.amounts[i], .weight = scored_[i].weight};
    switch (scored_[i].kind) {
      case ResourceKind::kCpu:
        column.used = columns.non_zero_milli_cpu();
        column.capacity = columns.allocatable(ResourceColumns::kMilliCpu);
        break;
      case ResourceKind::kMemory:
        column.used = columns.non_zero_memory();
        column.capacity = columns.allocatable(ResourceColumns::kMemory);
        break;
      case ResourceKind::kEphemeralStorage:
        column.used = columns.requested(ResourceColumns::kEphemeralStorage);
        column.capacity = columns.allocatable(ResourceColumns::kEphemeralStorage);
        break;
      case ResourceKind::kScalar:
        if (column.amount == 0) break;
        column.used = columns.scalar_requested(scored_[i].name);
        column.capacity = columns.scalar_allocatable(scored_[i].name);
        break;
      case ResourceKind::kOther:
        break;
    }
    if (!column.capacity.empty()) counted.push_back(column);
  }
  for (size_t i = 0; i < slots.size(); ++i) {
    ResourceScoring::Tally tally(scoring_);
    for (const Column& column : counted) {
      tally.Add({SaturatingAdd(column.used[slots[i]], column.amount), column.capacity[slots[i]],
                 column.weight});
    }
    out[i] = tally.Score();
  }
}

}  // namespace berth::scheduler
