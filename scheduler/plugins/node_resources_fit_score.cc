// SPDX-License-Identifier: Apache-2.0
// The scores of NodeResourcesFit.
#include "scheduler/plugins/node_resources_fit.h"

namespace berth::scheduler {
namespace {

// FitDemands is what the pod asks of the resources that score.
struct FitDemands {
  std::vector<ScoredResources::Demand> list;
};

}  // namespace

Status NodeResourcesFit::PreScore(CycleContext& cycle, std::span<const Slot>) const {
  cycle.state.Write(FitDemands{scored_.DemandsOf(ScoringRequests(cycle.pod, words_))});
  return Status::Success();
}

int64_t NodeResourcesFit::Score(const CycleContext& cycle, const NodeView& node) const {
  // A profile may run Score without PreScore.
  const auto* written = cycle.state.Read<FitDemands>();
  const auto demands =
      written != nullptr ? written->list : scored_.DemandsOf(ScoringRequests(cycle.pod, words_));
  ResourceScoring::Tally tally(scoring_);
  for (const ScoredResources::Demand& demand : demands) {
    const ScoredResources::Share share = scored_.ShareOf(node, demand);
    tally.Add({SaturatingAdd(share.used, demand.amount), share.capacity, demand.weight});
  }
  return tally.Score();
}

void NodeResourcesFit::ScoreBatch(const CycleContext& cycle, std::span<const Slot> slots,
                                  std::span<int64_t> out) const {
  const auto* written = cycle.state.Read<FitDemands>();
  const auto demands =
      written != nullptr ? written->list : scored_.DemandsOf(ScoringRequests(cycle.pod, words_));
  const auto columns = scored_.ColumnsOf(cycle.snapshot.Columns(), demands);
  for (size_t i = 0; i < slots.size(); ++i) {
    ResourceScoring::Tally tally(scoring_);
    for (const ScoredResources::Column& column : columns) {
      const ScoredResources::Share share = column.At(slots[i]);
      tally.Add({SaturatingAdd(share.used, column.amount), share.capacity, column.weight});
    }
    out[i] = tally.Score();
  }
}

}  // namespace berth::scheduler
