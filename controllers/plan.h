// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "controllers/any_object.h"
#include "controllers/api_server_ports.h"
#include "controllers/observed.h"
#include "controllers/plugin_catalogue.h"
#include "controllers/render.h"
#include "controllers/verdict.h"
#include "crds/allowances.h"
#include "crds/scheduler_profile.h"

namespace berth::controllers {

// PlannedEvent is an event to record about the profile.
struct PlannedEvent {
  bool is_warning = false;
  std::string reason;
  std::string action;
  std::string note;
  std::optional<ObjectKey>
      related;  // another object it is about; events of different ones stay apart
  bool operator==(const PlannedEvent&) const = default;
};

// Plan states what the cluster should hold for one profile.
struct Plan {
  crds::SchedulerProfile profile;  // with defaults
  Verdict verdict;
  std::vector<std::string> warnings;      // what is accepted and probably not what was meant
  std::string config_hash;                // of the rendered configuration; empty when there is none
  std::vector<std::string> names_in_use;  // see NamesInUse, once this is carried out
  std::vector<std::string> names_given_up;  // of those, what the scheduler is to serve no longer
  std::vector<RenderedObject> apply;        // in this order
  std::vector<ObjectKey> remove;            // afterwards; all of them are ours
  bool paused = false;                      // none of it is to be carried out now
  std::string operator_namespace;           // of the options
};

// PlanOptions are the operator's settings that plans, and carrying them out, depend on.
struct PlanOptions {
  std::string operator_namespace{crds::kDefaultNamespace};  // where the installation is
  DefaultImage default_image;
  std::string kube_scheduler_image;  // of engine KubeScheduler; empty: by the API server's version
  crds::Allowances allowances;
  int max_concurrent_rollouts = 5;  // that the operator's own changes cause; 1 or more
  Ports api_server_ports;           // empty: those that the API servers say
};

// PlanObjects is the whole decision; what to say of it once it is carried out is ReportOn's part.
// Same input, same plan; reads no clock, talks to nobody. `profile` is as the API server stores it,
// or as a file says it, and has a namespace (crds::PlaceByDefault); the other defaults are filled in
// here. A profile that is not valid, or may not be carried out, gets no objects: whatever runs keeps
// its last good configuration.
Plan PlanObjects(const crds::SchedulerProfile& profile, const Observed& observed,
                 const PluginCatalogue& catalogue, const PlanOptions& options);

}  // namespace berth::controllers
