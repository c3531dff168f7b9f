// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "api/field_error.h"
#include "base/json/type.h"
#include "scheduler/plugins/scored_resources.h"

// The arguments of NodeResourcesFit. Source: k8s.io/kube-scheduler config/v1/types_pluginargs.go,
// NodeResourcesFitArgs; kube-scheduler
// pkg/scheduler/apis/config/validation/validation_pluginargs.go.
namespace berth::scheduler {

struct UtilizationShapePoint {
  int32_t utilization = 0;
  int32_t score = 0;

  static constexpr auto Fields() {
    return json::Object(json::Field("utilization", &UtilizationShapePoint::utilization)
                            .Min(0)
                            .Max(100)
                            .Doc("Per cent of a node's capacity that is requested."),
                        json::Field("score", &UtilizationShapePoint::score)
                            .Min(0)
                            .Max(10)
                            .Doc("The score there, 0 to 10; between points it is a line."));
  }
};

struct RequestedToCapacityRatioParam {
  std::vector<UtilizationShapePoint> shape;

  static constexpr auto Fields() {
    return json::Object(json::Field("shape", &RequestedToCapacityRatioParam::shape)
                            .Required()
                            .Doc("Points of the scoring function, by increasing utilization."));
  }
};

struct ScoringStrategy {
  std::string type;
  std::vector<WeightedResource> resources;
  std::optional<RequestedToCapacityRatioParam> requested_to_capacity_ratio;

  static constexpr auto Fields() {
    return json::Object(
        json::Field("type", &ScoringStrategy::type)
            .Required()
            .OneOf("LeastAllocated|MostAllocated|RequestedToCapacityRatio")
            .Doc("LeastAllocated spreads pods, MostAllocated packs them, RequestedToCapacityRatio "
                 "scores by a function of the utilization."),
        json::Field("resources", &ScoringStrategy::resources)
            .Doc("Resources that count, with their weights; cpu and memory with 1 by default."),
        json::Field("requestedToCapacityRatio", &ScoringStrategy::requested_to_capacity_ratio)
            .Doc("Needed by, and allowed only for, the type RequestedToCapacityRatio."));
  }
};

struct NodeResourcesFitArgs {
  std::vector<std::string> ignored_resources;
  std::vector<std::string> ignored_resource_groups;
  std::optional<ScoringStrategy> scoring_strategy;

  static constexpr auto Fields() {
    return json::Object(
        json::Field("ignoredResources", &NodeResourcesFitArgs::ignored_resources)
            .Doc("Extended resources that a node need not have."),
        json::Field("ignoredResourceGroups", &NodeResourcesFitArgs::ignored_resource_groups)
            .Doc("Groups, such as example.com, of which all extended resources are ignored."),
        json::Field("scoringStrategy", &NodeResourcesFitArgs::scoring_strategy)
            .Doc("How nodes are scored; LeastAllocated by default."));
  }

  std::vector<api::FieldError> Validate() const;

  // EffectiveStrategy fills in what was left out: LeastAllocated of cpu and memory, weight 1.
  ScoringStrategy EffectiveStrategy() const;
};

}  // namespace berth::scheduler
