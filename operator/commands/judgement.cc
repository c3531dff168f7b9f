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
  for (const api::FieldError& mistake :
       controllers::MistakesIn(profile, catalogue, options.allowances.reserved)) {
    judgement.mistakes.push_back(mistake.ToString());
  }
  if (!judgement.mistakes.empty()) return judgement;
  for (const crds::Refusal& refusal : crds::RefusalsOf(profile, options.allowances)) {
    judgement.refusals.push_back(refusal.message);
  }
  const controllers::KubeSchedulerChoice kube_scheduler = controllers::ChooseKubeScheduler(
      profile.spec, options.kube_scheduler_image, api::kFollowedKubernetes);
  for (const crds::Refusal& refusal : kube_scheduler.refusals) {
    judgement.refusals.push_back(refusal.message);
  }
  if (!judgement.refusals.empty()) return judgement;
  const auto effective = controllers::EffectiveOf(profile, catalogue);
  if (!effective) {
    judgement.mistakes.push_back("spec.plugins: " + effective.error().message());
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
