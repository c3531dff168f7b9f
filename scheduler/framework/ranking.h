// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <set>
#include <span>
#include <string_view>
#include <vector>

#include "scheduler/framework/cached_answers.h"
#include "scheduler/framework/normalize.h"

namespace berth::scheduler {

// Ranking is what one kind of pod finds in the cluster: the nodes that fit, in visiting order, and
// the total of each. From one pod of that kind to the next only the nodes that changed are asked
// again, so that placing many like pods costs little more than looking for the best total.
//
// A total is valid until a scale of a normaliser changes: one node with a new highest raw score
// changes the normalised scores of all. Scores whose normalisation is the plugin's own, or that are
// not cached, are not part of it (Includes). Nodes that are imagined never come here.
//
// Invariants: nodes() ascends in rank, because Compact, which alone writes it, walks the order of
// the snapshot; totals()[i] belongs to nodes()[i] after Score, because Compact moves the totals
// along and Score fills in those of nodes that changed.
class Ranking final : public Cached {
 public:
  // The epochs that its filters and its scores depend on.
  Ranking(EpochSet filter_epochs, EpochSet score_epochs)
      : filter_epochs_(filter_epochs), score_epochs_(score_epochs), all_epochs_(filter_epochs) {
    all_epochs_.Add(score_epochs);
    all_epochs_.Add(Epoch::kNodeObject);  // a node may have come to a slot that only had pods
  }

  // Update asks the filters about the nodes that changed. False: a plugin failed; visit the nodes
  // one by one to get its message.
  bool Update(const Profile& profile, const CycleContext& cycle, PluginIndexSet skipped,
              CachedAnswers& cached);
  std::span<const Slot> nodes() const { return nodes_; }
  bool Fits(Slot slot) const { return slot < fits_.size() && fits_[slot] != 0; }
  // FirstFrom is the index in nodes() of the first one at `rank` or behind; nodes().size() if none.
  size_t FirstFrom(uint32_t rank) const;

  // Includes says whether a score is part of the totals.
  static bool Includes(const Profile::Entry<ScorePlugin>& entry, CachedAnswers& cached) {
    return entry.plugin->normalizer() != Normalizer::kCustom && cached.CanCache(entry);
  }
  // Score brings the totals up to date, with the scores that are included and not skipped. False: a
  // plugin failed or went out of range; score without the ranking to get its message. Requires:
  // Update.
  bool Score(const Profile& profile, const CycleContext& cycle, PluginIndexSet skipped,
             CachedAnswers& cached);
  std::span<const int64_t> totals() const { return totals_; }

  size_t Bytes() const override;

 private:
  using ScoreEntry = Profile::Entry<ScorePlugin>;
  struct Part {  // what one score adds
    const ScoreEntry* entry;
    Scale scale;
    std::vector<int64_t> raw;  // by slot, as the scale has it; empty when the scale does not matter
  };

  void Compact(const Snapshot& snapshot);
  bool ChooseParts(const Profile& profile, PluginIndexSet skipped, CachedAnswers& cached);
  static bool RawScores(const Part& part, const CycleContext& cycle, CachedAnswers& cached,
                        std::span<const Slot> nodes, std::span<int64_t> raw);
  bool ScoreAll(const CycleContext& cycle, CachedAnswers& cached);
  bool ScoreChanged(const CycleContext& cycle, CachedAnswers& cached, bool& scales_valid);
  size_t IndexOf(const Snapshot& snapshot, Slot slot) const {
    return FirstFrom(snapshot.Ranks()[slot]);
  }

  const EpochSet filter_epochs_;
  const EpochSet score_epochs_;
  EpochSet all_epochs_;

  uint64_t generation_ = 0;      // of the last Update
  std::vector<uint8_t> fits_;    // by slot
  std::vector<Slot> nodes_;      // that fit
  std::vector<uint32_t> ranks_;  // of nodes_

  bool scored_ = false;  // what follows is valid, except for touched_
  uint64_t scored_generation_ = 0;
  std::vector<Part> parts_;
  std::vector<int64_t> totals_;   // of nodes_
  std::vector<uint8_t> counted_;  // by slot: in the scales
  std::vector<Slot> touched_;     // changed since the totals were computed
};

}  // namespace berth::scheduler
