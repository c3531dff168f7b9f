// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "controllers/plan.h"
#include "controllers/plugin_catalogue.h"
#include "crds/scheduler_profile.h"

namespace berth::operator_ {

// Judgement is the operator's assessment of a profile before it writes anything.
struct Judgement {
  std::vector<std::string> errors;      // not valid
  std::vector<std::string> rejections;  // valid, but rejected by this version or installation
  std::vector<std::string> warnings;    // applied, but probably with an unintended effect

  bool IsApplied() const { return errors.empty() && rejections.empty(); }
};

// Judges a profile for `berth validate` and `berth convert`, like the operator of a cluster with
// kFollowedKubernetes. Errors have field paths. Requires: the profile has a namespace.
Judgement Judge(const crds::SchedulerProfile& profile,
                const controllers::PluginCatalogue& catalogue,
                const controllers::PlanOptions& options);

}  // namespace berth::operator_
