// SPDX-License-Identifier: Apache-2.0
#include "operator/commands/judgement.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <string>
#include <utility>

#include "api/kubernetes_version.h"
#include "controllers/effective.h"
#include "controllers/kube_scheduler_release.h"
#include "controllers/verdict.h"
#include "crds/effects.h"

namespace berth::operator_ {

Judgement Judge(const crds::SchedulerProfile& read, const controllers::PluginCatalogue& catalogue,
                const controllers::PlanOptions& options) {
  const crds::SchedulerProfile profile = crds::WithDefaults(read);
  Judgement judgement;
  judgement.errors =
      controllers::ErrorsIn(profile, catalogue, options.allowances.default_scheduler);
  std::set<std::string> wrong;
  for (const api::FieldError& error : judgement.errors) wrong.insert(error.path);
  const auto reject = [&](const std::vector<crds::Rejection>& rejections) {
    std::ranges::copy_if(
        rejections, std::back_inserter(judgement.rejections),
        [&](const crds::Rejection& rejection) { return !wrong.contains(rejection.path); });
  };
  reject(crds::RejectionsOf(profile, options.allowances));
  const controllers::KubeSchedulerChoice kube_scheduler = controllers::ChooseKubeScheduler(
      profile.spec, options.kube_scheduler_image, api::kReferenceKubernetes);
  reject(kube_scheduler.rejections);
  if (!judgement.IsApplied()) return judgement;
  const auto effective = controllers::EffectiveOf(profile, catalogue);
  if (!effective) {
    judgement.errors.push_back({.type = api::FieldError::Type::kInvalid,
                                .path = "spec.plugins",
                                .value = {},
                                .detail = effective.error().message()});
    return judgement;
  }
  judgement.warnings = controllers::WarningsOf(profile, *effective, catalogue, kube_scheduler);
  return judgement;
}

}  // namespace berth::operator_
