// SPDX-License-Identifier: Apache-2.0
#include "scheduler/plugins/resource_scoring.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "scheduler/framework/interface.h"

namespace berth::scheduler {
namespace {

__extension__ using Int128 = __int128;

// Shape points have scores of 0 to 10.
constexpr int64_t kShapeScale = 10;

// Returns part * 100 / whole. The product would overflow 64 bits for memory above 80 PiB.
int64_t PerCent(int64_t part, int64_t whole) {
  if (part <= std::numeric_limits<int64_t>::max() / kMaxNodeScore) {
    return part * kMaxNodeScore / whole;
  }
  return static_cast<int64_t>(static_cast<Int128>(part) * kMaxNodeScore / whole);
}

std::vector<UtilizationShapePoint> ShapeOf(const ScoringStrategy& strategy) {
  const auto& ratio = strategy.requested_to_capacity_ratio;
  return ratio ? ratio->shape : std::vector<UtilizationShapePoint>();
}

void CheckRange(int32_t value, int32_t highest, const std::string& path,
                std::vector<api::FieldError>& out) {
  if (value >= 0 && value <= highest) return;
  out.push_back(api::FieldError::Invalid(
      path, value, "not in valid range [0, " + std::to_string(highest) + "]"));
}

}  // namespace

void CheckShape(const std::vector<UtilizationShapePoint>& shape, const std::string& path,
                std::vector<api::FieldError>& out) {
  using api::Child, api::Index;
  if (shape.empty()) {
    out.push_back(api::FieldError::Required(path, "at least one point must be specified"));
  }
  for (size_t i = 1; i < shape.size(); ++i) {
    if (shape[i - 1].utilization < shape[i].utilization) continue;
    out.push_back(api::FieldError::Invalid(Child(Index(path, i), "utilization"),
                                           shape[i].utilization,
                                           "values must be sorted in increasing order"));
  }
  for (size_t i = 0; i < shape.size(); ++i) {
    CheckRange(shape[i].utilization, 100, Child(Index(path, i), "utilization"), out);
    CheckRange(shape[i].score, 10, Child(Index(path, i), "score"), out);
  }
}

PiecewiseLinear FunctionOf(const std::vector<UtilizationShapePoint>& shape) {
  std::vector<PiecewiseLinear::Point> points;
  for (const UtilizationShapePoint& point : shape) {
    points.push_back({point.utilization, point.score * kShapeScale});
  }
  return PiecewiseLinear(std::move(points));
}

int64_t PiecewiseLinear::At(int64_t x) const {
  if (points_.empty()) return 0;
  const auto right = std::find_if(points_.begin(), points_.end(),
                                  [x](const Point& point) { return x <= point.x; });
  if (right == points_.end()) return points_.back().y;
  if (right == points_.begin()) return right->y;
  const auto left = right - 1;
  return left->y + (right->y - left->y) * (x - left->x) / (right->x - left->x);
}

ResourceScoring::ResourceScoring(const ScoringStrategy& strategy)
    : kind_(strategy.type == "MostAllocated"    ? Kind::kMostAllocated
            : strategy.type == "LeastAllocated" ? Kind::kLeastAllocated
                                                : Kind::kRequestedToCapacityRatio),
      shape_(FunctionOf(ShapeOf(strategy))) {}

int64_t ResourceScoring::Rate(int64_t requested, int64_t capacity) const {
  const bool too_much = requested > capacity;
  switch (kind_) {
    case Kind::kLeastAllocated:
      return too_much ? 0 : PerCent(capacity - requested, capacity);
    case Kind::kMostAllocated:
      return PerCent(std::min(requested, capacity), capacity);
    case Kind::kRequestedToCapacityRatio:
      break;
  }
  return shape_.At(too_much ? kMaxNodeScore : PerCent(requested, capacity));
}

void ResourceScoring::Tally::Add(const Share& share) {
  if (share.capacity <= 0) return;
  const int64_t rate = scoring_->Rate(std::max<int64_t>(share.requested, 0), share.capacity);
  if (scoring_->kind_ == Kind::kRequestedToCapacityRatio && rate <= 0) return;
  sum_ += rate * share.weight;
  weights_ += share.weight;
}

int64_t ResourceScoring::Tally::Score() const {
  if (weights_ == 0) return 0;
  if (scoring_->kind_ != Kind::kRequestedToCapacityRatio) return sum_ / weights_;
  return std::llround(static_cast<double>(sum_) / static_cast<double>(weights_));
}

}  // namespace berth::scheduler
