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

// Ranking caches the feasible nodes of one equivalence class of pods and the total score of each,
// as far as they follow from cached results. From one pod of the class to the next, only the
// changed nodes are filtered and scored again, and the best node is found without visiting the
// others. Placing many equivalent pods costs a time proportional to the changes, not to the number
// of nodes.
//
// A ranking does not include filters whose results cannot be cached; they may remove nodes
// afterwards. Nor does it include scores that cannot be cached or that the plugin normalizes itself
// (Includes); they are added to the totals. Simulated nodes are never part of it.
//
// A total is valid until the scale of a normalizer changes: one node with a new highest raw score
// changes the normalized scores of all nodes. Totals are normalized over all nodes of the ranking;
// TotalsOf normalizes over a subset.
//
// Invariants after Score: totals_[slot] is valid for each feasible slot; by_rank_ has the same
// totals at the ranks of these slots and no others. Data by slot survives a change of the node
// order; by_rank_ does not.
class Ranking final : public Cached {
 public:
  // The arguments are the epochs that its filters and its scores depend on.
  Ranking(EpochSet filter_epochs, EpochSet score_epochs)
      : filter_epochs_(filter_epochs), score_epochs_(score_epochs), all_epochs_(filter_epochs) {
    all_epochs_.Add(score_epochs);
    all_epochs_.Add(Epoch::kNodeObject);  // a slot that only had pods may get its Node object
  }

  // Sets the current VersionsOf of the filters, and of filters and scores. If they differ from the
  // last ones, all nodes are filtered or scored again. Called in each attempt, before Update.
  void SetVersions(Versions of_filters, Versions of_all);
  // Filters the changed nodes. Returns false if a plugin failed; visit the nodes one by one to get
  // its message. Requires: `left_out` is the set passed to CachedResults::RankingFor.
  bool Update(const Profile& profile, const CycleContext& cycle, PluginIndexSet left_out,
              CachedResults& cached);
  size_t size() const { return size_; }  // number of feasible nodes
  bool Fits(Slot slot) const { return slot < fits_.size() && fits_[slot] != 0; }
  // Returns the feasible nodes in visiting order: from the rank `start`, wrapping around.
  std::vector<Slot> NodesFrom(const Snapshot& snapshot, size_t start) const;

  // Reports whether a score is part of the totals.
  static bool Includes(const Profile::Entry<ScorePlugin>& entry, CachedResults& cached) {
    return entry.plugin->normalizer() != Normalizer::kCustom && cached.CanCache(entry);
  }
  // Updates the totals with the scores that are included and not skipped. Returns false if a plugin
  // failed or its score is out of range; score without the ranking to get its message. Requires:
  // Update.
  bool Score(const Profile& profile, const CycleContext& cycle, PluginIndexSet skipped,
             CachedResults& cached);
  // Returns the node that is selected if all nodes of the ranking are feasible and visited from the
  // rank `start`. Requires: Score, and at least one node.
  Slot Best(const Snapshot& snapshot, size_t start) const;
  // Computes the totals normalized over `nodes` only; out[i] belongs to nodes[i]. Returns false if
  // a score is out of range; score without the ranking to get the message. Requires: Score; all
  // `nodes` belong to the ranking.
  bool TotalsOf(std::span<const Slot> nodes, std::span<int64_t> out) const;

  size_t Bytes() const override;

 private:
  using ScoreEntry = Profile::Entry<ScorePlugin>;
  struct Part {  // the contribution of one Score plugin
    const ScoreEntry* entry;
    Scale scale;
    std::vector<int64_t> raw;  // by slot, as counted in the scale; empty if the scale is not needed
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
  size_t size_ = 0;            // number of slots that fit

  bool scored_ = false;  // the members below are valid, except for touched_
  uint64_t scored_generation_ = 0;
  std::vector<Part> parts_;
  std::vector<int64_t> totals_;   // by slot
  Tournament by_rank_;            // totals_ of the slots that fit
  std::vector<uint8_t> counted_;  // by slot: whether its raw scores are in the scales
  std::vector<Slot> touched_;     // changed since the totals were computed
};

}  // namespace berth::scheduler
