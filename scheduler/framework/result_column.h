// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "scheduler/framework/interface.h"
#include "scheduler/framework/result_cache.h"
#include "scheduler/framework/status.h"
#include "scheduler/model/epoch.h"
#include "scheduler/model/snapshot.h"

namespace berth::scheduler {

// Reports whether a result may be cached. Errors are not cached, nor are verdicts whose reason is a
// text of this attempt.
inline bool IsLasting(Verdict verdict) {
  return verdict.code() != Code::kError && verdict.IsLasting();
}
inline bool IsLasting(int64_t) { return true; }

// ResultColumn holds the results of one plugin for pods with one ResultKey, by slot: verdicts or
// raw scores. A slot is filled on first use. The plugin is called again when one of the epochs that
// the result depends on has changed.
template <class Answer>
class ResultColumn final : public Cached {
 public:
  explicit ResultColumn(EpochSet depends_on) : depends_on_(depends_on) {}

  // Drops results that changed since the last call, and all results if `versions` differ from the
  // last ones (Plugin::VersionsOf). Called in each attempt, before Ask.
  void BringUpToDate(const Snapshot& snapshot, const Versions& versions);

  // Fills out[i] for slots[i]. Missing results are computed by `compute(slots, out)` and cached.
  // Returns the number of results taken from the cache.
  template <class Compute>
  size_t Ask(std::span<const Slot> slots, std::span<Answer> out, Compute&& compute);

  size_t Bytes() const override {
    return sizeof(*this) + answers_.capacity() * sizeof(Answer) + known_.capacity() +
           versions_.capacity() * sizeof(uint64_t);
  }

 private:
  void Put(Slot slot, Answer answer) {
    known_[slot] = IsLasting(answer);
    if (known_[slot]) answers_[slot] = answer;
  }

  const EpochSet depends_on_;
  uint64_t generation_ = 0;
  Versions versions_;
  std::vector<Answer> answers_;  // by slot
  std::vector<uint8_t> known_;   // by slot
};

template <class Answer>
void ResultColumn<Answer>::BringUpToDate(const Snapshot& snapshot, const Versions& versions) {
  const size_t slots = snapshot.Ranks().size();
  if (generation_ == 0 || versions != versions_ ||
      snapshot.ClusterChangedSince(depends_on_, generation_)) {
    known_.assign(slots, false);
  } else if (generation_ != snapshot.Generation()) {
    known_.resize(slots, false);
    std::vector<Slot> changed;
    snapshot.ChangedSince(depends_on_, generation_, changed);
    for (const Slot slot : changed) known_[slot] = false;
  }
  answers_.resize(slots);
  generation_ = snapshot.Generation();
  versions_ = versions;
}

template <class Answer>
template <class Compute>
size_t ResultColumn<Answer>::Ask(std::span<const Slot> slots, std::span<Answer> out,
                                 Compute&& compute) {
  std::vector<uint32_t> missing;  // indexes into slots
  for (size_t i = 0; i < slots.size(); ++i) {
    if (known_[slots[i]]) {
      out[i] = answers_[slots[i]];
    } else {
      missing.push_back(static_cast<uint32_t>(i));
    }
  }
  if (missing.empty()) return slots.size();
  if (missing.size() == slots.size()) {
    compute(slots, out);
    for (size_t i = 0; i < slots.size(); ++i) Put(slots[i], out[i]);
    return 0;
  }
  std::vector<Slot> asked(missing.size());
  std::vector<Answer> answers(missing.size());
  for (size_t i = 0; i < missing.size(); ++i) asked[i] = slots[missing[i]];
  compute(std::span<const Slot>(asked), std::span<Answer>(answers));
  for (size_t i = 0; i < missing.size(); ++i) {
    out[missing[i]] = answers[i];
    Put(asked[i], answers[i]);
  }
  return slots.size() - missing.size();
}

}  // namespace berth::scheduler
