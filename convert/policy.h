// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "api/legacy_policy.h"
#include "convert/draft.h"
#include "convert/finding.h"
#include "crds/plugin_catalogue.h"

namespace berth::convert {

// Returns all validation errors of a Policy with the text of the old schedulers, after the field
// path. Source: kube-scheduler pkg/scheduler/apis/config/validation/validation_policy.go, and
// legacy_registry.go, ProcessPredicatePolicy and ProcessPriorityPolicy, at v1.22.
std::vector<std::string> ErrorsOf(const api::LegacyPolicy& policy);

// Removes the parts that alone are invalid, so that the report can describe the others.
void RemoveInvalid(api::LegacyPolicy& policy);

// Converts a Policy to a draft with a complete plugin set that does not extend the default profile.
// Requires: ErrorsOf returned nothing, or RemoveInvalid was called. Errors (kConfig): as
// AddExtenders.
//
// Filters run in the order of PredicateRows(), regardless of the order in the Policy. A plugin that
// results from several priorities gets the weight of the first by name.
Result<void> ApplyPolicy(const api::LegacyPolicy& policy,
                         const crds::PluginCatalogueView& catalogue, const Reporter& reporter,
                         Draft& draft);

}  // namespace berth::convert
