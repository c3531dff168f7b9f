// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "engine/extender/extender_verb.h"
#include "extender/configuration.h"
#include "scheduler/framework/profile.h"

namespace berth::extender {

using Verb = engine::ExtenderVerb;

// Entry is an entry of the configuration with its profile. Owned by the deciding thread, like the
// profile; the configuration never changes.
struct Entry {
  ServedExtender config;
  std::shared_ptr<const scheduler::Profile> profile;

  // Returns the reasons why the entry needs a cluster connection, one sentence each; empty if
  // requests carry all required objects. Source: docs/design/0015.
  std::vector<std::string> WhyClusterIsNeeded(const scheduler::Registry& registry) const;
  // Reports whether the entry binds or approves preemptions; only authenticated or local callers
  // may use it.
  bool ActsOnCluster() const { return !config.bind_verb.empty() || !config.preempt_verb.empty(); }
};

// Builds the profiles. Errors (kConfig) name the entry.
// Requires: Validate found nothing.
Result<std::vector<Entry>> MakeEntries(const ExtenderConfiguration& config,
                                       const scheduler::Registry& registry,
                                       const scheduler::PluginHandle& handle);

// Route is the entry and verb of a path.
struct Route {
  const Entry* entry;
  Verb verb;
};
using Routes = std::map<std::string, Route, std::less<>>;
// Returns all routes. Requires: the entries outlive the routes and do not move.
Routes RoutesOf(const std::vector<Entry>& entries);

}  // namespace berth::extender
