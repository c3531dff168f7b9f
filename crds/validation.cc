// SPDX-License-Identifier: Apache-2.0
#include "crds/validation.h"

#include <algorithm>
#include <string>

#include "base/names.h"
#include "crds/bounds.h"
#include "crds/rules.h"

namespace berth::crds {
namespace {

using api::FieldError;
using Errors = std::vector<FieldError>;

void CheckKeys(const api::StringMap& map, const std::string& path, Errors& errors) {
  for (const auto& [key, value] : map) {
    for (const std::string& problem : CheckQualifiedName(key)) {
      errors.push_back(FieldError::Invalid(path, key, problem));
    }
  }
}

void CheckLabels(const api::StringMap& labels, const std::string& path, Errors& errors) {
  CheckKeys(labels, path, errors);
  for (const auto& [key, value] : labels) {
    for (const std::string& problem : CheckLabelValue(value)) {
      errors.push_back(FieldError::Invalid(path + "[" + key + "]", value, problem));
    }
  }
}

// Source: kubernetes pkg/apis/core/validation/validation.go, validateResourceRequirements.
void CheckRequests(const api::ResourceRequirements& resources, Errors& errors) {
  const std::string path = "spec.deployment.resources.requests";
  for (const auto& [name, amount] : resources.requests) {
    const auto limit = resources.limits.find(name);
    if (limit == resources.limits.end() || amount <= limit->second) continue;
    errors.push_back(FieldError::Invalid(
        path + "[" + name + "]", amount.ToString(),
        "must be less than or equal to " + name + " limit of " + limit->second.ToString()));
  }
}

// What becomes part of pods must have the form that Kubernetes wants of it, which the schema of a
// map cannot say.
void CheckDeployment(const DeploymentSpec& deployment, Errors& errors) {
  CheckLabels(deployment.node_selector, "spec.deployment.nodeSelector", errors);
  CheckLabels(deployment.pod_labels, "spec.deployment.podLabels", errors);
  CheckKeys(deployment.pod_annotations, "spec.deployment.podAnnotations", errors);
  CheckRequests(deployment.resources, errors);
}

constexpr std::string_view kOnReservedNames[] = {SchedulerProfile::kReservedName,
                                                 SchedulerProfileSpec::kReservedAlias};

}  // namespace

bool PluginsAreKnown(const EngineSpec& engine) {
  return engine.type == "Berth" && engine.image.empty();
}

Errors Validate(const SchedulerProfile& profile, const PluginCatalogueView& catalogue,
                ReservedNames reserved) {
  Errors errors;
  if (profile.metadata.name.empty()) {
    errors.push_back(
        FieldError::Required("metadata.name", "it is the scheduler name that pods give"));
  }
  const auto add = [&errors](Errors more) {
    std::move(more.begin(), more.end(), std::back_inserter(errors));
  };
  add(CheckBounds(json::TypeOf<SchedulerProfileSpec>(), &profile.spec, "spec"));
  const bool allows_all = reserved == ReservedNames::kAllow;
  add(allows_all ? CheckRules(profile, kOnReservedNames) : CheckRules(profile));
  CheckDeployment(profile.spec.deployment, errors);
  if (PluginsAreKnown(profile.spec.engine)) add(ValidatePlugins(profile.spec, catalogue));
  return errors;
}

}  // namespace berth::crds
