// SPDX-License-Identifier: Apache-2.0
#include "operator/commands/judgement.h"

#include <algorithm>
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
  const auto reject = [&judgement](const std::vector<crds::Rejection>& rejections) {
    for (const crds::Rejection& rejection : rejections) {
      const bool has_error =
          std::ranges::any_of(judgement.errors, [&rejection](const api::FieldError& error) {
            return rejection.message.starts_with(error.path + ": ");
          });
      if (!has_error) judgement.rejections.push_back(rejection.message);
    }
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
  judgement.warnings = crds::Warnings(profile.spec);
  judgement.warnings.insert(judgement.warnings.end(), kube_scheduler.warnings.begin(),
                            kube_scheduler.warnings.end());
  for (std::string& warning : controllers::PluginWarnings(profile, *effective, catalogue)) {
    judgement.warnings.push_back(std::move(warning));
  }
  return judgement;
}

}  // namespace berth::operator_
