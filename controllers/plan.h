// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "base/time.h"
#include "controllers/object_key.h"
#include "controllers/observed.h"
#include "controllers/plugin_catalogue.h"
#include "crds/scheduler_profile.h"
#include "crds/validation.h"

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
  std::vector<RenderedObject> apply;  // in this order
  std::vector<ObjectKey> remove;      // afterwards; all of them are ours
  crds::SchedulerProfileStatus status;
  std::vector<PlannedEvent> events;  // of what `status` says anew
  // When to look again although nothing changed: a scheduler that falls silent makes no event.
  std::optional<std::chrono::nanoseconds> look_again;
};

// PlanOptions are the operator's settings that rendering depends on.
struct PlanOptions {
  std::string default_image;
  crds::ReservedNames reserved = crds::ReservedNames::kRefuse;
};

// PlanSchedulerProfile is the whole decision. Same input, same plan; reads no clock, talks to
// nobody. `profile` is as the API server stores it, or as a file says it: defaults are filled in
// here. A profile that is not valid, or may not be carried out, gets a status and no objects:
// whatever runs keeps its last good configuration.
Plan PlanSchedulerProfile(const crds::SchedulerProfile& profile, const Observed& observed,
                          const PluginCatalogue& catalogue, const PlanOptions& options, Time now);

}  // namespace berth::controllers
