// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "api/field_error.h"
#include "controllers/plan.h"
#include "controllers/plugin_catalogue.h"
#include "crds/allowances.h"
#include "crds/scheduler_profile.h"

namespace berth::operator_ {

// Judgement is the operator's assessment of a profile before it writes anything.
struct Judgement {
  std::vector<api::FieldError> errors;      // not valid
  std::vector<crds::Rejection> rejections;  // not applied by this version or installation
  std::vector<api::FieldWarning> warnings;  // applied, but probably with an unintended effect

  bool IsApplied() const { return errors.empty() && rejections.empty(); }
};

// Judges a profile for `berth validate` and `berth convert`, like the operator of a cluster with
// kReferenceKubernetes. Reports errors and rejections together, except for rejections of a value
// with an error; warnings only without both. All begin with their field paths. Requires: the
// profile has a namespace.
Judgement Judge(const crds::SchedulerProfile& profile,
                const controllers::PluginCatalogue& catalogue,
                const controllers::PlanOptions& options);

}  // namespace berth::operator_
