// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "api/field_error.h"
#include "base/json/type.h"
#include "scheduler/plugins/scored_resources.h"

namespace berth::scheduler {

struct UtilizationShapePoint {
  int32_t utilization = 0;
  int32_t score = 0;

  static auto Fields() {
    return json::Object(
        json::Field("utilization", &UtilizationShapePoint::utilization)
            .Min(0)
            .Max(100)
            .Doc("Requested percentage of the capacity: of the node's allocatable amount, or of "
                 "the storage."),
        json::Field("score", &UtilizationShapePoint::score)
            .Min(0)
            .Max(10)
            .Doc("Score at this utilization, 0 to 10; linear between points."));
  }
};

struct RequestedToCapacityRatioParam {
  std::vector<UtilizationShapePoint> shape;

  static auto Fields() {
    return json::Object(
        json::Field("shape", &RequestedToCapacityRatioParam::shape)
            .Required()
            .Doc("Points of the scoring function, in increasing order of utilization."));
  }
};

struct ScoringStrategy {
  std::string type;
  std::vector<WeightedResource> resources;
  std::optional<RequestedToCapacityRatioParam> requested_to_capacity_ratio;

  static auto Fields() {
    return json::Object(
        json::Field("type", &ScoringStrategy::type)
            .Required()
            .OneOf("LeastAllocated|MostAllocated|RequestedToCapacityRatio")
            .Doc("LeastAllocated spreads pods over nodes. MostAllocated packs them onto few nodes. "
                 "RequestedToCapacityRatio scores by a function of the utilization."),
        json::Field("resources", &ScoringStrategy::resources)
            .Default(R"([{"name":"cpu","weight":1},{"name":"memory","weight":1}])")
            .Doc("Resources to score, with their weights."),
        json::Field("requestedToCapacityRatio", &ScoringStrategy::requested_to_capacity_ratio)
            .Doc("Required if the type is RequestedToCapacityRatio, and not allowed otherwise."));
  }
};

// PiecewiseLinear is an integer function that interpolates between points of increasing x; it is
// constant outside of them. Source: kube-scheduler
// pkg/scheduler/framework/plugins/helper/shape_score.go, BuildBrokenLinearFunction.
class PiecewiseLinear {
 public:
  struct Point {
    int64_t x, y;
  };
  explicit PiecewiseLinear(std::vector<Point> points) : points_(std::move(points)) {}

  int64_t At(int64_t x) const;  // 0 without points

 private:
  std::vector<Point> points_;
};

// Validates the points of a scoring function; errors are added to `out`. Source: kube-scheduler
// pkg/scheduler/apis/config/validation/validation_pluginargs.go, validateFunctionShape.
void CheckShape(const std::vector<UtilizationShapePoint>& shape, const std::string& path,
                std::vector<api::FieldError>& out);
// Returns the scoring function through the points, scaled to 0 to 100.
PiecewiseLinear FunctionOf(const std::vector<UtilizationShapePoint>& shape);

// ResourceScoring combines a node's requested and allocatable resources into one score. Percentages
// of large amounts are computed with 128 bits, so they do not overflow. Source: kube-scheduler
// pkg/scheduler/framework/plugins/noderesources: least_allocated.go, most_allocated.go and
// requested_to_capacity_ratio.go.
class ResourceScoring {
 public:
  // Requires: the strategy is valid and complete (NodeResourcesFitArgs::EffectiveStrategy).
  explicit ResourceScoring(const ScoringStrategy& strategy);

  // Share is one resource of a node: `requested` by its pods and the new pod, out of `capacity`,
  // the allocatable amount. A share with capacity 0 is ignored.
  struct Share {
    int64_t requested;
    int64_t capacity;
    int64_t weight;
  };

  // Tally computes the weighted mean of the rates of a node's shares. LeastAllocated and
  // MostAllocated round down. RequestedToCapacityRatio skips rates of 0 and rounds to nearest.
  class Tally {
   public:
    explicit Tally(const ResourceScoring& scoring) : scoring_(&scoring) {}
    void Add(const Share& share);
    int64_t Score() const;

   private:
    const ResourceScoring* scoring_;
    int64_t sum_ = 0;
    int64_t weights_ = 0;
  };

 private:
  enum class Kind : uint8_t { kLeastAllocated, kMostAllocated, kRequestedToCapacityRatio };

  int64_t Rate(int64_t requested, int64_t capacity) const;  // 0 to 100

  Kind kind_;
  PiecewiseLinear shape_;
};

}  // namespace berth::scheduler
