// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "scheduler/framework/cached_results.h"
#include "scheduler/framework/normalize.h"
#include "scheduler/framework/tournament.h"

namespace berth::scheduler {

// Ranking is the static part of what one kind of pod finds in the cluster, that which follows from
// cached answers: the nodes that pass the filters, and the total of each. From one pod of that kind
// to the next only the nodes that changed are asked again, and the best node is found without a
// look at the others: placing many like pods costs what changed, not the number of nodes.
//
// Not part of it are filters whose answers cannot be cached, which may leave fewer nodes, and
// scores that cannot be cached or that the plugin normalises itself (Includes), which are added to
// the totals. Nodes that are imagined never come here.
//
// A total is valid until a scale of a normaliser changes: one node with a new highest raw score
// changes the normalised scores of all. Totals are those of all nodes here; TotalsOf gives them for
// some.
//
// Invariants, after Score: totals_[slot] is right for each slot that fits; by_rank_ has the same
// totals at the ranks of these slots, and none elsewhere. What is kept by slot outlasts a change of
// the order; by_rank_ does not.
class Ranking final : public Cached {
 public:
  // The epochs that its filters and its scores depend on.
  Ranking(EpochSet filter_epochs, EpochSet score_epochs)
      : filter_epochs_(filter_epochs), score_epochs_(score_epochs), all_epochs_(filter_epochs) {
    all_epochs_.Add(score_epochs);
    all_epochs_.Add(Epoch::kNodeObject);  // a node may have come to a slot that only had pods
  }

  // SetVersions tells what VersionsOf of the filters, and of filters and scores, gives now: with
  // others than before, the filters or scores are asked about all nodes again. To be called in each
  // attempt, before Update.
  void SetVersions(Versions of_filters, Versions of_all);
  // Update asks the filters about the nodes that changed. False: a plugin failed; visit the nodes
  // one by one to get its message. Requires: `left_out` are the filters that
  // CachedResults::RankingFor left out.
  bool Update(const Profile& profile, const CycleContext& cycle, PluginIndexSet left_out,
              CachedResults& cached);
  size_t size() const { return size_; }  // nodes that fit
  bool Fits(Slot slot) const { return slot < fits_.size() && fits_[slot] != 0; }
  // NodesFrom lists the nodes that fit, in visiting order: from the rank `start` on and around.
  std::vector<Slot> NodesFrom(const Snapshot& snapshot, size_t start) const;

  // Includes says whether a score is part of the totals.
  static bool Includes(const Profile::Entry<ScorePlugin>& entry, CachedResults& cached) {
    return entry.plugin->normalizer() != Normalizer::kCustom && cached.CanCache(entry);
  }
  // Score brings the totals up to date, with the scores that are included and not skipped. False: a
  // plugin failed or went out of range; score without the ranking to get its message. Requires:
  // Update.
  bool Score(const Profile& profile, const CycleContext& cycle, PluginIndexSet skipped,
             CachedResults& cached);
  // Best is the node that is selected if all fit and are visited from the rank `start` on.
  // Requires: Score, and that there is a node.
  Slot Best(const Snapshot& snapshot, size_t start) const;
  // TotalsOf gives the totals as they are if only `nodes` fit; out[i] belongs to nodes[i]. False: a
  // score went out of range; score without the ranking to get the message. Requires: Score, and
  // that `nodes` are nodes of the ranking.
  bool TotalsOf(std::span<const Slot> nodes, std::span<int64_t> out) const;

  size_t Bytes() const override;

 private:
  using ScoreEntry = Profile::Entry<ScorePlugin>;
  struct Part {  // what one score adds
    const ScoreEntry* entry;
    Scale scale;
    std::vector<int64_t> raw;  // by slot, as the scale has it; empty when the scale does not matter
  };

  void SetFits(Slot slot, bool fits);
  bool ChooseParts(const Profile& profile, PluginIndexSet skipped, CachedResults& cached);
  static bool RawScores(const Part& part, const CycleContext& cycle, CachedResults& cached,
                        std::span<const Slot> nodes, std::span<int64_t> raw);
  bool ScoreAll(const CycleContext& cycle, CachedResults& cached);
  bool ScoreChanged(const CycleContext& cycle, CachedResults& cached, bool& scales_valid);
  int64_t TotalOrNone(Slot slot) const { return fits_[slot] ? totals_[slot] : Tournament::kNone; }
  void RankAll(const Snapshot& snapshot);
  void RankChanged(const Snapshot& snapshot);
  static bool Rescale(const Part& part, std::span<const Slot> nodes, std::span<int64_t> totals);

  const EpochSet filter_epochs_;
  const EpochSet score_epochs_;
  EpochSet all_epochs_;

  Versions filter_versions_, all_versions_;
  uint64_t generation_ = 0;    // of the last Update
  std::vector<uint8_t> fits_;  // by slot
  size_t size_ = 0;            // slots that fit

  bool scored_ = false;  // what follows is valid, except for touched_
  uint64_t scored_generation_ = 0;
  std::vector<Part> parts_;
  std::vector<int64_t> totals_;   // by slot
  Tournament by_rank_;            // totals_ of the slots that fit
  std::vector<uint8_t> counted_;  // by slot: in the scales
  std::vector<Slot> touched_;     // changed since the totals were computed
};

}  // namespace berth::scheduler
