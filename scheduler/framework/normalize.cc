// SPDX-License-Identifier: Apache-2.0
#include "scheduler/framework/normalize.h"

#include <algorithm>

namespace berth::scheduler {

Scale Scale::Of(Normalizer normalizer, std::span<const int64_t> raw) {
  Scale scale(normalizer);
  if (!scale.Matters() || raw.empty()) return scale;
  const auto [lowest, highest] = std::minmax_element(raw.begin(), raw.end());
  scale.lowest_ = *lowest;
  scale.highest_ = *highest;
  scale.at_lowest_ = static_cast<size_t>(std::count(raw.begin(), raw.end(), scale.lowest_));
  scale.at_highest_ = static_cast<size_t>(std::count(raw.begin(), raw.end(), scale.highest_));
  scale.count_ = raw.size();
  return scale;
}

bool Scale::Add(int64_t raw) {
  if (!Matters()) return true;
  if (at_highest_ == 0 || raw > highest_ || (HasLowest() && raw < lowest_)) return false;
  if (raw == lowest_) ++at_lowest_;
  if (raw == highest_) ++at_highest_;
  ++count_;
  return true;
}

bool Scale::Remove(int64_t raw) {
  if (!Matters()) return true;
  --count_;
  if (raw == lowest_ && --at_lowest_ == 0 && HasLowest()) return false;
  return raw != highest_ || --at_highest_ > 0;
}

bool Scale::Holds(std::span<const int64_t> some) const {
  if (IsUniform()) return true;
  const auto has = [&](int64_t score) {
    return std::find(some.begin(), some.end(), score) != some.end();
  };
  return has(highest_) && (!HasLowest() || has(lowest_));
}

int64_t Scale::Normalize(int64_t raw) const {
  switch (normalizer_) {
    case Normalizer::kNone:
    case Normalizer::kCustom:
      return raw;
    case Normalizer::kDefault:
      return highest_ <= 0 ? raw : kMaxNodeScore * raw / highest_;
    case Normalizer::kDefaultReversed:
      return highest_ <= 0 ? kMaxNodeScore : kMaxNodeScore - kMaxNodeScore * raw / highest_;
    case Normalizer::kMinMax:
      break;
  }
  const auto range = static_cast<double>(highest_ - lowest_);
  if (range <= 0) return 0;
  return static_cast<int64_t>(static_cast<double>(kMaxNodeScore) *
                              (static_cast<double>(raw - lowest_) / range));
}

}  // namespace berth::scheduler
