// SPDX-License-Identifier: Apache-2.0
#include "scheduler/framework/ranking.h"

#include <algorithm>

#include "scheduler/framework/guard.h"

namespace berth::scheduler {
namespace {

bool InRange(int64_t score) { return score >= kMinNodeScore && score <= kMaxNodeScore; }

}  // namespace

size_t Ranking::FirstFrom(uint32_t rank) const {
  return static_cast<size_t>(std::lower_bound(ranks_.begin(), ranks_.end(), rank) - ranks_.begin());
}

size_t Ranking::Bytes() const {
  size_t bytes = sizeof(*this) + fits_.capacity() + counted_.capacity() +
                 nodes_.capacity() * sizeof(Slot) + ranks_.capacity() * sizeof(uint32_t) +
                 totals_.capacity() * sizeof(int64_t) + touched_.capacity() * sizeof(Slot);
  for (const Part& part : parts_) bytes += sizeof part + part.raw.capacity() * sizeof(int64_t);
  return bytes;
}

bool Ranking::Update(const Profile& profile, const CycleContext& cycle,
                     const std::set<std::string_view>& skipped, KeptAnswers& kept) {
  const Snapshot& snapshot = cycle.snapshot;
  const auto ranks = snapshot.Ranks();
  std::vector<Slot> changed;
  const bool anew = generation_ == 0 || snapshot.MovedSince(filter_epochs_, generation_);
  if (anew) {
    fits_.assign(ranks.size(), false);
    changed.assign(snapshot.Order().begin(), snapshot.Order().end());
    scored_ = false;
  } else if (generation_ != snapshot.Generation()) {
    fits_.resize(ranks.size(), false);
    snapshot.ChangedSince(all_epochs_, generation_, changed);
    std::sort(changed.begin(), changed.end());
    changed.erase(std::unique(changed.begin(), changed.end()), changed.end());
  }
  const bool reordered = snapshot.ClusterEpoch(Epoch::kOrder) > generation_;
  if (scored_) touched_.insert(touched_.end(), changed.begin(), changed.end());
  if (touched_.size() > fits_.size()) scored_ = false;  // to score all is cheaper by now

  bool moved = reordered || anew;
  const auto gone = std::stable_partition(
      changed.begin(), changed.end(), [&](Slot slot) { return ranks[slot] != Snapshot::kNoRank; });
  for (auto slot = gone; slot != changed.end(); ++slot) fits_[*slot] = false;
  changed.erase(gone, changed.end());

  std::vector<Profile::FilterOutcome> answers(changed.size());
  profile.RunFilterBatch(cycle, skipped, changed, answers, nullptr, &kept);
  for (size_t i = 0; i < changed.size(); ++i) {
    const Verdict verdict = answers[i].verdict;
    if (!verdict.fits() && !IsRejected(verdict.code())) {
      generation_ = 0;  // to be asked again from the start
      return false;
    }
    moved |= fits_[changed[i]] != verdict.fits();
    fits_[changed[i]] = verdict.fits();
  }
  generation_ = snapshot.Generation();
  if (moved) Compact(snapshot);
  return true;
}

// Compact lists the nodes that fit in visiting order anew; totals go along.
void Ranking::Compact(const Snapshot& snapshot) {
  std::vector<int64_t> totals_by_slot(scored_ ? fits_.size() : 0);
  if (scored_) {
    for (size_t i = 0; i < nodes_.size(); ++i) totals_by_slot[nodes_[i]] = totals_[i];
  }
  nodes_.clear();
  ranks_.clear();
  totals_.clear();
  const auto order = snapshot.Order();
  for (size_t rank = 0; rank < order.size(); ++rank) {
    const Slot slot = order[rank];
    if (!fits_[slot]) continue;
    nodes_.push_back(slot);
    ranks_.push_back(static_cast<uint32_t>(rank));
    if (scored_) totals_.push_back(totals_by_slot[slot]);
  }
}

bool Ranking::Score(const Profile& profile, const CycleContext& cycle,
                    const std::set<std::string_view>& skipped, KeptAnswers& kept) {
  const Snapshot& snapshot = cycle.snapshot;
  const bool stands = HoldsParts(profile, skipped, kept) && scored_ &&
                      !snapshot.MovedSince(score_epochs_, scored_generation_);
  bool scales_stand = stands;
  scored_ = false;  // until it went well
  if (stands && !ScoreChanged(cycle, kept, scales_stand)) return false;
  if (!scales_stand && !ScoreAll(cycle, kept)) return false;
  touched_.clear();
  scored_ = true;
  scored_generation_ = snapshot.Generation();
  return true;
}

// HoldsParts says whether the parts are those that this attempt scores; else it makes them so.
bool Ranking::HoldsParts(const Profile& profile, const std::set<std::string_view>& skipped,
                         KeptAnswers& kept) {
  std::vector<const ScoreEntry*> wanted;
  for (const ScoreEntry& entry : profile.scores()) {
    if (!skipped.contains(entry.name) && Holds(entry, kept)) wanted.push_back(&entry);
  }
  const bool same =
      std::equal(wanted.begin(), wanted.end(), parts_.begin(), parts_.end(),
                 [](const ScoreEntry* entry, const Part& part) { return entry == part.entry; });
  if (same) return true;
  parts_.clear();
  for (const ScoreEntry* entry : wanted) {
    parts_.push_back({entry, Scale(entry->plugin->normalizer()), {}});
  }
  return false;
}

// RawScores asks the plugin of a part about nodes; false when it fails.
bool Ranking::RawScores(const Part& part, const CycleContext& cycle, KeptAnswers& kept,
                        std::span<const Slot> nodes, std::span<int64_t> raw) {
  return internal::GuardedStatus(part.entry->name,
                                 [&] {
                                   kept.Score(*part.entry, cycle, nodes, raw);
                                   return Status::Success();
                                 })
      .ok();
}

bool Ranking::ScoreAll(const CycleContext& cycle, KeptAnswers& kept) {
  totals_.assign(nodes_.size(), 0);
  counted_.assign(fits_.size(), false);
  for (const Slot slot : nodes_) counted_[slot] = true;
  std::vector<int64_t> raw(nodes_.size());
  for (Part& part : parts_) {
    if (!RawScores(part, cycle, kept, nodes_, raw)) return false;
    part.scale = Scale::Of(part.entry->plugin->normalizer(), raw);
    for (size_t i = 0; i < raw.size(); ++i) {
      const int64_t score = part.scale.Normalize(raw[i]);
      if (!InRange(score)) return false;
      totals_[i] += score * part.entry->weight;
    }
    if (!part.scale.Matters()) continue;
    part.raw.resize(fits_.size());
    for (size_t i = 0; i < raw.size(); ++i) part.raw[nodes_[i]] = raw[i];
  }
  return true;
}

// ScoreChanged scores the nodes that changed, as long as the scales stand.
bool Ranking::ScoreChanged(const CycleContext& cycle, KeptAnswers& kept, bool& scales_stand) {
  std::sort(touched_.begin(), touched_.end());
  touched_.erase(std::unique(touched_.begin(), touched_.end()), touched_.end());
  counted_.resize(fits_.size(), false);

  std::vector<Slot> fitting;
  std::copy_if(touched_.begin(), touched_.end(), std::back_inserter(fitting),
               [this](Slot slot) { return fits_[slot] != 0; });
  std::vector<int64_t> totals(fitting.size());
  std::vector<int64_t> raw(fitting.size());
  for (Part& part : parts_) {
    if (!RawScores(part, cycle, kept, fitting, raw)) return false;
    if (part.scale.Matters()) {
      part.raw.resize(fits_.size());
      for (size_t i = 0; i < fitting.size(); ++i) scales_stand &= part.scale.Add(raw[i]);
      for (const Slot slot : touched_) {
        if (counted_[slot]) scales_stand &= part.scale.Remove(part.raw[slot]);
      }
      if (!scales_stand) return true;
      for (size_t i = 0; i < fitting.size(); ++i) part.raw[fitting[i]] = raw[i];
    }
    for (size_t i = 0; i < fitting.size(); ++i) {
      const int64_t score = part.scale.Normalize(raw[i]);
      if (!InRange(score)) return false;
      totals[i] += score * part.entry->weight;
    }
  }
  for (const Slot slot : touched_) counted_[slot] = fits_[slot];
  const auto& snapshot = cycle.snapshot;
  for (size_t i = 0; i < fitting.size(); ++i) totals_[IndexOf(snapshot, fitting[i])] = totals[i];
  return true;
}

}  // namespace berth::scheduler
