// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "scheduler/framework/interface.h"

namespace berth::scheduler {

// Scale is what a declared normaliser (interface.h) needs to know of all raw scores to turn one
// into 0..100. Source: kube-scheduler pkg/scheduler/framework/plugins/helper/normalize_score.go,
// DefaultNormalizeScore; interpodaffinity/scoring.go, NormalizeScore.
class Scale {
 public:
  explicit Scale(Normalizer normalizer) : normalizer_(normalizer) {}
  static Scale Of(Normalizer normalizer, std::span<const int64_t> raw);

  // Matters says whether a normalised score depends on the scores of other nodes.
  bool Matters() const { return normalizer_ != Normalizer::kNone; }

  // Add and Remove count a score in and out. False: the score changes the scale, which must then be
  // computed again from all scores.
  bool Add(int64_t raw);
  bool Remove(int64_t raw);

  // Holds says whether the scale is also that of `some` of its scores: what it reads of the lowest
  // and the highest is among them. IsUniform: that is so for any of them, since all are equal.
  bool Holds(std::span<const int64_t> some) const;
  bool IsUniform() const { return !Matters() || at_highest_ == count_; }

  // Normalize gives the score of one node. By the highest score, which counts as at least 0:
  // kDefault 100 * raw / highest, kDefaultReversed 100 minus that; all zero gives 0, reversed 100.
  // kMinMax: between lowest and highest, in doubles, truncated; all equal gives 0. Integer
  // divisions truncate.
  int64_t Normalize(int64_t raw) const;

 private:
  bool HasLowest() const { return normalizer_ == Normalizer::kMinMax; }

  Normalizer normalizer_;
  int64_t lowest_ = 0;
  int64_t highest_ = 0;
  size_t at_lowest_ = 0;  // how many scores are the lowest
  size_t at_highest_ = 0;
  size_t count_ = 0;  // of all scores
};

}  // namespace berth::scheduler
