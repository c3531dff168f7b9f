// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "controllers/plan.h"
#include "controllers/plugin_catalogue.h"
#include "crds/scheduler_profile.h"

namespace berth::operator_ {

// Judgement is what an operator would say of a profile before it writes anything.
struct Judgement {
  std::vector<std::string> errors;  // it is not valid
  std::vector<std::string>
      rejections;  // it is valid, and this version or installation does not do it
  std::vector<std::string> warnings;  // it is carried out, and something is probably not meant so

  bool IsCarriedOut() const { return errors.empty() && rejections.empty(); }
};

// Judge gives it, with paths, for `berth validate` and `berth convert`, as the operator of a cluster
// of kFollowedKubernetes. Requires: the profile has a namespace.
Judgement Judge(const crds::SchedulerProfile& profile,
                const controllers::PluginCatalogue& catalogue,
                const controllers::PlanOptions& options);

}  // namespace berth::operator_
