// SPDX-License-Identifier: Apache-2.0
#include "scheduler/plugins/node_resources_fit_args.h"

#include <algorithm>
#include <array>

#include "base/names.h"

namespace berth::scheduler {
namespace {

using api::Child;
using api::FieldError;
using api::Index;

constexpr std::string_view kRatio = "RequestedToCapacityRatio";
constexpr std::array<std::string_view, 3> kTypes = {"LeastAllocated", "MostAllocated", kRatio};

void CheckName(const std::string& name, const std::string& path, std::vector<FieldError>& out) {
  for (std::string& problem : CheckQualifiedName(name)) {
    out.push_back(FieldError::Invalid(path, name, std::move(problem)));
  }
}

void CheckRange(int32_t value, int32_t highest, const std::string& path,
                std::vector<FieldError>& out) {
  if (value >= 0 && value <= highest) return;
  out.push_back(
      FieldError::Invalid(path, value, "not in valid range [0, " + std::to_string(highest) + "]"));
}

void CheckShape(const std::vector<UtilizationShapePoint>& shape, const std::string& path,
                std::vector<FieldError>& out) {
  if (shape.empty()) {
    out.push_back(FieldError::Required(path, "at least one point must be specified"));
  }
  for (size_t i = 1; i < shape.size(); ++i) {
    if (shape[i - 1].utilization < shape[i].utilization) continue;
    out.push_back(FieldError::Invalid(Child(Index(path, i), "utilization"), shape[i].utilization,
                                      "values must be sorted in increasing order"));
  }
  for (size_t i = 0; i < shape.size(); ++i) {
    CheckRange(shape[i].utilization, 100, Child(Index(path, i), "utilization"), out);
    CheckRange(shape[i].score, 10, Child(Index(path, i), "score"), out);
  }
}

void CheckStrategy(const ScoringStrategy& strategy, std::vector<FieldError>& out) {
  const std::string path = "scoringStrategy";
  if (std::find(kTypes.begin(), kTypes.end(), strategy.type) == kTypes.end()) {
    out.push_back(FieldError::NotSupported(Child(path, "type"), strategy.type, kTypes));
  }
  for (size_t i = 0; i < strategy.resources.size(); ++i) {
    const WeightedResource& resource = strategy.resources[i];
    if (resource.weight >= 0 && resource.weight <= 100) continue;  // 0 stands for 1
    out.push_back(FieldError::Invalid(
        Child(Index(Child(path, "resources"), i), "weight"), resource.weight,
        "resource weight of " + resource.name + " not in valid range (0, 100]"));
  }
  const std::string ratio_path = Child(path, "requestedToCapacityRatio");
  const auto& ratio = strategy.requested_to_capacity_ratio;
  if (ratio) CheckShape(ratio->shape, Child(ratio_path, "shape"), out);
  if (!ratio && strategy.type == kRatio) {
    out.push_back(FieldError::Required(ratio_path,
                                       "must be specified when type is RequestedToCapacityRatio"));
  }
  if (ratio && strategy.type != kRatio) {
    out.push_back(
        FieldError::Forbidden(ratio_path, "must be nil when type is not RequestedToCapacityRatio"));
  }
}

}  // namespace

std::vector<FieldError> NodeResourcesFitArgs::Validate() const {
  std::vector<FieldError> mistakes;
  for (size_t i = 0; i < ignored_resources.size(); ++i) {
    CheckName(ignored_resources[i], Index("ignoredResources", i), mistakes);
  }
  for (size_t i = 0; i < ignored_resource_groups.size(); ++i) {
    const std::string& group = ignored_resource_groups[i];
    const std::string path = Index("ignoredResourceGroups", i);
    if (group.find('/') != std::string::npos) {
      mistakes.push_back(FieldError::Invalid(path, group, "resource group name can't contain '/'"));
    }
    CheckName(group, path, mistakes);
  }
  if (scoring_strategy) CheckStrategy(*scoring_strategy, mistakes);
  return mistakes;
}

ScoringStrategy NodeResourcesFitArgs::EffectiveStrategy() const {
  ScoringStrategy strategy = scoring_strategy.value_or(ScoringStrategy{.type = "LeastAllocated"});
  strategy.resources = WithDefaults(std::move(strategy.resources));
  return strategy;
}

}  // namespace berth::scheduler
