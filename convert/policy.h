// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "api/legacy_policy.h"
#include "convert/draft.h"
#include "convert/finding.h"
#include "crds/plugin_catalogue.h"

namespace berth::convert {

// ErrorsOf gives all mistakes of a Policy, in the words of the schedulers that read it, behind the
// path of the field. Source: kube-scheduler pkg/scheduler/apis/config/validation/
// validation_policy.go, and legacy_registry.go, ProcessPredicatePolicy and ProcessPriorityPolicy, at
// v1.22.
std::vector<std::string> ErrorsOf(const api::LegacyPolicy& policy);

// ApplyPolicy puts into a draft what a Policy says: one plugin set that stands for itself, not upon
// the default profile. Requires: ErrorsOf found nothing. Errors (kConfig): as AddExtenders.
//
// Filters run in the order of PredicateRows(), whatever the order of the Policy; a plugin that comes
// of several priorities has the weight of the first by name.
Result<void> ApplyPolicy(const api::LegacyPolicy& policy,
                         const crds::PluginCatalogueView& catalogue, const Reporter& reporter,
                         Draft& draft);

}  // namespace berth::convert
