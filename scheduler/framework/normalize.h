// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "scheduler/framework/interface.h"

namespace berth::scheduler {

// Scale holds the statistics of all raw scores that a declared normalizer (interface.h) needs to
// convert one score to 0..100. Source: kube-scheduler
// pkg/scheduler/framework/plugins/helper/normalize_score.go, DefaultNormalizeScore;
// pkg/scheduler/framework/plugins/interpodaffinity/scoring.go, NormalizeScore.
class Scale {
 public:
  explicit Scale(Normalizer normalizer) : normalizer_(normalizer) {}
  static Scale Of(Normalizer normalizer, std::span<const int64_t> raw);

  // Reports whether a normalized score depends on the scores of other nodes.
  bool Matters() const { return normalizer_ != Normalizer::kNone; }

  // Add or remove one score. Return false if the score changes the scale; the caller then computes
  // the scale again from all scores.
  bool Add(int64_t raw);
  bool Remove(int64_t raw);

  // Holds reports whether the subset `some` of the scores has the same scale: it contains the
  // highest score and, for kMinMax, the lowest. IsUniform reports whether every subset does,
  // because all scores are equal.
  bool Holds(std::span<const int64_t> some) const;
  bool IsUniform() const { return !Matters() || at_highest_ == count_; }

  // Returns the normalized score of one node. kDefault: 100 * raw / highest; kDefaultReversed: 100
  // minus that. The highest counts as at least 0; if all scores are 0, the result is 0, or 100
  // reversed. kMinMax: position between lowest and highest, computed in doubles and truncated; 0 if
  // all are equal. Integer divisions truncate.
  int64_t Normalize(int64_t raw) const;

 private:
  bool HasLowest() const { return normalizer_ == Normalizer::kMinMax; }

  Normalizer normalizer_;
  int64_t lowest_ = 0;
  int64_t highest_ = 0;
  size_t at_lowest_ = 0;  // number of scores equal to lowest_
  size_t at_highest_ = 0;
  size_t count_ = 0;  // number of all scores
};

}  // namespace berth::scheduler
