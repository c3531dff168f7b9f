// SPDX-License-Identifier: Apache-2.0
#include "operator/commands/judgement.h"

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
  for (const api::FieldError& error :
       controllers::ErrorsIn(profile, catalogue, options.allowances.default_scheduler)) {
    judgement.errors.push_back(error.ToString());
  }
  if (!judgement.errors.empty()) return judgement;
  for (const crds::Rejection& rejection : crds::RejectionsOf(profile, options.allowances)) {
    judgement.rejections.push_back(rejection.message);
  }
  const controllers::KubeSchedulerChoice kube_scheduler = controllers::ChooseKubeScheduler(
      profile.spec, options.kube_scheduler_image, api::kFollowedKubernetes);
  for (const crds::Rejection& rejection : kube_scheduler.rejections) {
    judgement.rejections.push_back(rejection.message);
  }
  if (!judgement.rejections.empty()) return judgement;
  const auto effective = controllers::EffectiveOf(profile, catalogue);
  if (!effective) {
    judgement.errors.push_back("spec.plugins: " + effective.error().message());
    return judgement;
  }
  judgement.warnings = crds::Warnings(profile.spec);
  judgement.warnings.insert(judgement.warnings.end(), kube_scheduler.warnings.begin(),
                            kube_scheduler.warnings.end());
  for (std::string& warning : controllers::PluginWarnings(profile, *effective, catalogue)) {
    judgement.warnings.push_back(std::move(warning));
  }
  return judgement;
}

}  // namespace berth::operator_
