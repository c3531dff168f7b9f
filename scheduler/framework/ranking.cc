// SPDX-License-Identifier: Apache-2.0
#include "scheduler/framework/ranking.h"

#include <algorithm>

#include "scheduler/framework/guard.h"
#include "scheduler/framework/select_host.h"

namespace berth::scheduler {
namespace {

bool InRange(int64_t score) { return score >= kMinNodeScore && score <= kMaxNodeScore; }

}  // namespace

size_t Ranking::Bytes() const {
  size_t bytes = sizeof(*this) + fits_.capacity() + counted_.capacity() +
                 totals_.capacity() * sizeof(int64_t) + touched_.capacity() * sizeof(Slot) +
                 by_rank_.Bytes();
  for (const Part& part : parts_) bytes += sizeof part + part.raw.capacity() * sizeof(int64_t);
  return bytes;
}

void Ranking::SetVersions(Versions of_filters, Versions of_all) {
  if (of_filters != filter_versions_) generation_ = 0;
  if (of_all != all_versions_) scored_ = false;
  filter_versions_ = std::move(of_filters);
  all_versions_ = std::move(of_all);
}

bool Ranking::Update(const Profile& profile, const CycleContext& cycle, PluginIndexSet left_out,
                     CachedResults& cached) {
  const Snapshot& snapshot = cycle.snapshot;
  const auto ranks = snapshot.Ranks();
  // 1. Select the slots to filter: all of them in the first call, and after a change that affects
  // every node's result; otherwise the slots that changed since the last call.
  std::vector<Slot> changed;
  const bool all = generation_ == 0 || snapshot.ClusterChangedSince(filter_epochs_, generation_);
  if (all) {
    fits_.assign(ranks.size(), false);
    size_ = 0;
    changed.assign(snapshot.Order().begin(), snapshot.Order().end());
    scored_ = false;
  } else if (generation_ != snapshot.Generation()) {
    fits_.resize(ranks.size(), false);
    snapshot.ChangedSince(all_epochs_, generation_, changed);
    std::sort(changed.begin(), changed.end());
    changed.erase(std::unique(changed.begin(), changed.end()), changed.end());
  }
  // Totals are only marked as outdated: Score may run much later, or not for this pod.
  if (scored_) touched_.insert(touched_.end(), changed.begin(), changed.end());
  if (touched_.size() > fits_.size()) scored_ = false;  // scoring all is cheaper now

  // 2. Slots without a rank have no Node object (any more): they do not fit.
  const auto gone = std::stable_partition(
      changed.begin(), changed.end(), [&](Slot slot) { return ranks[slot] != Snapshot::kNoRank; });
  for (auto slot = gone; slot != changed.end(); ++slot) SetFits(*slot, false);
  changed.erase(gone, changed.end());

  // 3. Run the filters.
  std::vector<Profile::FilterOutcome> answers(changed.size());
  profile.RunFilterBatch(cycle, left_out, changed, answers, nullptr, &cached);
  for (size_t i = 0; i < changed.size(); ++i) {
    const Verdict verdict = answers[i].verdict;
    if (!verdict.fits() && !IsRejected(verdict.code())) {
      generation_ = 0;  // the next call filters all nodes again
      return false;
    }
    SetFits(changed[i], verdict.fits());
  }
  generation_ = snapshot.Generation();
  return true;
}

void Ranking::SetFits(Slot slot, bool fits) {
  size_ = size_ - fits_[slot] + (fits ? 1 : 0);
  fits_[slot] = fits;
}

std::vector<Slot> Ranking::NodesFrom(const Snapshot& snapshot, size_t start) const {
  const auto order = snapshot.Order();
  // One extra element, because a slot is stored before its count is added.
  std::vector<Slot> nodes(size_ + 1);
  size_t count = 0;
  const auto list = [&](std::span<const Slot> slots) {
    for (const Slot slot : slots) {
      nodes[count] = slot;
      count += fits_[slot];
    }
  };
  list(order.subspan(start));
  list(order.first(start));
  nodes.resize(count);
  return nodes;
}

bool Ranking::Score(const Profile& profile, const CycleContext& cycle, PluginIndexSet skipped,
                    CachedResults& cached) {
  const Snapshot& snapshot = cycle.snapshot;
  const bool valid = ChooseParts(profile, skipped, cached) && scored_ &&
                     !snapshot.ClusterChangedSince(score_epochs_, scored_generation_);
  bool scales_valid = valid;
  scored_ = false;  // until all steps succeeded
  if (valid && !ScoreChanged(cycle, cached, scales_valid)) return false;
  if (!scales_valid && !ScoreAll(cycle, cached)) return false;
  // Changing one node costs about as much as ranking eight nodes from scratch.
  const bool few_changed = touched_.size() < snapshot.NodeCount() / 8;
  if (scales_valid && few_changed && snapshot.ClusterEpoch(Epoch::kOrder) <= scored_generation_) {
    RankChanged(snapshot);
  } else {
    RankAll(snapshot);
  }
  touched_.clear();
  scored_ = true;
  scored_generation_ = snapshot.Generation();
  return true;
}

// Sets the parts to the scores of this attempt. Returns true if they did not change.
bool Ranking::ChooseParts(const Profile& profile, PluginIndexSet skipped, CachedResults& cached) {
  std::vector<const ScoreEntry*> wanted;
  for (const ScoreEntry& entry : profile.scores()) {
    if (!skipped.Has(entry.index) && Includes(entry, cached)) wanted.push_back(&entry);
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

// Gets the raw scores of one part; returns false if its plugin fails.
bool Ranking::RawScores(const Part& part, const CycleContext& cycle, CachedResults& cached,
                        std::span<const Slot> nodes, std::span<int64_t> raw) {
  return internal::GuardedStatus(*part.entry,
                                 [&] {
                                   cached.Score(*part.entry, cycle, nodes, raw);
                                   return Status::Success();
                                 })
      .ok();
}

// Computes all totals.
bool Ranking::ScoreAll(const CycleContext& cycle, CachedResults& cached) {
  const std::vector<Slot> nodes = NodesFrom(cycle.snapshot, 0);
  totals_.assign(fits_.size(), 0);
  counted_ = fits_;
  std::vector<int64_t> raw(nodes.size());
  for (Part& part : parts_) {
    if (!RawScores(part, cycle, cached, nodes, raw)) return false;
    part.scale = Scale::Of(part.entry->plugin->normalizer(), raw);
    for (size_t i = 0; i < raw.size(); ++i) {
      const int64_t score = part.scale.Normalize(raw[i]);
      if (!InRange(score)) return false;
      totals_[nodes[i]] += score * part.entry->weight;
    }
    if (!part.scale.Matters()) continue;
    part.raw.resize(fits_.size());
    for (size_t i = 0; i < raw.size(); ++i) part.raw[nodes[i]] = raw[i];
  }
  return true;
}

// Computes the totals of the changed nodes. Sets `scales_valid` to false and stops if this changes
// a scale, because the totals of all other nodes are then wrong, too.
//
// It walks two lists: `touched_`, all slots that changed since the totals were valid, and
// `fitting`, those that fit now. A slot's old score is removed from the scales if counted_ is set,
// whether or not the slot fits now; its new score is added if it fits.
bool Ranking::ScoreChanged(const CycleContext& cycle, CachedResults& cached, bool& scales_valid) {
  std::sort(touched_.begin(), touched_.end());
  touched_.erase(std::unique(touched_.begin(), touched_.end()), touched_.end());
  counted_.resize(fits_.size(), false);

  std::vector<Slot> fitting;
  std::copy_if(touched_.begin(), touched_.end(), std::back_inserter(fitting),
               [this](Slot slot) { return fits_[slot] != 0; });
  std::vector<int64_t> totals(fitting.size());
  std::vector<int64_t> raw(fitting.size());
  for (Part& part : parts_) {
    if (!RawScores(part, cycle, cached, fitting, raw)) return false;
    if (part.scale.Matters()) {
      part.raw.resize(fits_.size());
      // Add the new scores first: otherwise a node that keeps the highest score would leave the
      // scale without one, which would look like a change.
      for (size_t i = 0; i < fitting.size(); ++i) scales_valid &= part.scale.Add(raw[i]);
      for (const Slot slot : touched_) {
        if (counted_[slot]) scales_valid &= part.scale.Remove(part.raw[slot]);
      }
      if (!scales_valid) return true;
      for (size_t i = 0; i < fitting.size(); ++i) part.raw[fitting[i]] = raw[i];
    }
    for (size_t i = 0; i < fitting.size(); ++i) {
      const int64_t score = part.scale.Normalize(raw[i]);
      if (!InRange(score)) return false;
      totals[i] += score * part.entry->weight;
    }
  }
  for (const Slot slot : touched_) counted_[slot] = fits_[slot];
  totals_.resize(fits_.size());
  for (size_t i = 0; i < fitting.size(); ++i) totals_[fitting[i]] = totals[i];
  return true;
}

void Ranking::RankAll(const Snapshot& snapshot) {
  const auto order = snapshot.Order();
  by_rank_.Assign(order.size(), [&](size_t rank) { return TotalOrNone(order[rank]); });
}

// Updates the tree for the changed nodes. Requires: the node order is unchanged.
void Ranking::RankChanged(const Snapshot& snapshot) {
  const auto ranks = snapshot.Ranks();
  for (const Slot slot : touched_) {
    if (ranks[slot] == Snapshot::kNoRank) continue;  // has pods but no Node object
    by_rank_.Set(ranks[slot], TotalOrNone(slot));
  }
}

Slot Ranking::Best(const Snapshot& snapshot, size_t start) const {
  return snapshot.Order()[SelectHost(by_rank_, start)];
}

bool Ranking::TotalsOf(std::span<const Slot> nodes, std::span<int64_t> out) const {
  for (size_t i = 0; i < nodes.size(); ++i) out[i] = totals_[nodes[i]];
  if (nodes.size() == size_) return true;
  return std::all_of(parts_.begin(), parts_.end(),
                     [&](const Part& part) { return Rescale(part, nodes, out); });
}

// Replaces a score's contribution to `totals`, normalized over all nodes, by the one normalized
// over `nodes`. Returns false if it is out of range.
bool Ranking::Rescale(const Part& part, std::span<const Slot> nodes, std::span<int64_t> totals) {
  if (part.scale.IsUniform()) return true;
  std::vector<int64_t> raw(nodes.size());
  for (size_t i = 0; i < nodes.size(); ++i) raw[i] = part.raw[nodes[i]];
  if (part.scale.Holds(raw)) return true;
  const Scale scale = Scale::Of(part.entry->plugin->normalizer(), raw);
  for (size_t i = 0; i < raw.size(); ++i) {
    const int64_t score = scale.Normalize(raw[i]);
    if (!InRange(score)) return false;
    totals[i] += (score - part.scale.Normalize(raw[i])) * part.entry->weight;
  }
  return true;
}

}  // namespace berth::scheduler
