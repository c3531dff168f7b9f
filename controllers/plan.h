// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "api/field_error.h"
#include "controllers/any_object.h"
#include "controllers/api_server_ports.h"
#include "controllers/effective.h"
#include "controllers/kube_scheduler_release.h"
#include "controllers/observed.h"
#include "controllers/plugin_catalogue.h"
#include "controllers/render.h"
#include "controllers/verdict.h"
#include "crds/allowances.h"
#include "crds/scheduler_profile.h"

namespace berth::controllers {

// PlannedEvent is an event to record on the profile.
struct PlannedEvent {
  bool is_warning = false;
  std::string reason;
  std::string action;
  std::string note;
  std::optional<ObjectKey> related;  // another object; events with different ones are not merged
  bool operator==(const PlannedEvent&) const = default;
};

// Plan is the desired state of the cluster for one profile.
struct Plan {
  crds::SchedulerProfile profile;  // with defaults
  Verdict verdict;
  std::vector<api::FieldWarning> warnings;  // about valid but probably unintended settings
  std::string config_hash;                  // of the rendered configuration; empty: none rendered
  ServedNames names;                        // once the plan is applied
  std::vector<RenderedObject> apply;        // in this order
  std::vector<ObjectKey> remove;            // deleted afterwards; all owned by the profile
  bool paused = false;                      // nothing is applied now
  bool terminating = false;                 // the profile is being deleted; nothing is applied
  std::string operator_namespace;           // from the options
};

// PlanOptions are the operator's settings for planning and applying.
struct PlanOptions {
  std::string operator_namespace{crds::kDefaultNamespace};  // the namespace of the installation
  DefaultImage default_image;
  std::string kube_scheduler_image;  // for engine KubeScheduler; empty: by the API server's version
  crds::Allowances allowances;
  int max_concurrent_rollouts = 5;  // caused by the operator's own changes; 1 or more
  Ports api_server_ports;           // empty: use the detected ports
};

// Plans everything for one profile; ReportOn makes the status after the plan is applied. Pure: the
// same input gives the same plan. `profile` comes from the API server or from a file and has a
// namespace (crds::PlaceByDefault); the other defaults are set here. A profile that is invalid or
// rejected gets no objects, so a running scheduler keeps its last good configuration.
Plan PlanObjects(const crds::SchedulerProfile& profile, const Observed& observed,
                 const PluginCatalogue& catalogue, const PlanOptions& options);

// Returns the warnings about a valid profile with defaults: of its fields, its plugins, the chosen
// kube-scheduler and the pause annotation. Pure.
std::vector<api::FieldWarning> WarningsOf(const crds::SchedulerProfile& profile,
                                          const Effective& effective,
                                          const PluginCatalogue& catalogue,
                                          const KubeSchedulerChoice& kube_scheduler);

}  // namespace berth::controllers
