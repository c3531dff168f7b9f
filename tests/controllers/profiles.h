// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "base/yaml/yaml.h"
#include "controllers/plan.h"
#include "controllers/report.h"
#include "crds/scheduler_profile.h"
#include "scheduler/plugins/registry.h"

namespace berth::controllers {

// Returns a stored profile with this spec.
inline crds::SchedulerProfile MakeProfile(const std::string& name,
                                          std::string_view spec_yaml = "") {
  crds::SchedulerProfile profile;
  if (!spec_yaml.empty()) {
    profile.spec = json::Decode<crds::SchedulerProfileSpec>(yaml::ToJson(spec_yaml).value(),
                                                            json::Mode::kStrict)
                       .value();
  }
  profile.metadata.name = name;
  profile.metadata.uid = "uid-of-" + name;
  profile.metadata.generation = 1;
  profile.metadata.creation_timestamp = Time::FromUnixSeconds(1'767'225'600);
  crds::PlaceByDefault(profile, crds::kDefaultNamespace);
  return crds::WithDefaults(std::move(profile));
}

inline const PluginCatalogue& ShippedCatalogue() {
  static const PluginCatalogue catalogue(scheduler::MakeRegistry());
  return catalogue;
}

// Options of an installation that allows what the test profiles use.
inline PlanOptions TestOptions() {
  return {.default_image = {.name = "berth:test",
                            .architecture = "amd64",
                            .pull_secrets = {{"own"}, {"pull"}},
                            .secrets_namespace = "berth-system"},
          .kube_scheduler_image = "kube-scheduler:test",
          .allowances = {.images = {"berth:test", "example.com/*"},
                         .namespaces = {"berth-system", "team"},
                         .annotations = {"example.com/*"},
                         .labels = {"team"},
                         .cluster_roles = {"reader"},
                         .addresses = {"elsewhere.example.com:9443"}}};
}

inline Plan PlanAlone(const crds::SchedulerProfile& profile, const Observed& observed = {}) {
  return PlanObjects(profile, observed, ShippedCatalogue(), TestOptions());
}

// Returns the status after the plan was applied with these errors.
inline crds::SchedulerProfileStatus StatusOf(const crds::SchedulerProfile& profile,
                                             const Observed& observed = {},
                                             const std::vector<ReconcileError>& failures = {},
                                             Time now = Time::FromUnixSeconds(1'767'225'660)) {
  return ReportOn(PlanAlone(profile, observed), observed, failures, now).status;
}

}  // namespace berth::controllers
