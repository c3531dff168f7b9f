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

// Entry is an entry of the configuration, ready to answer. Owned by the deciding thread, like its
// profile; what is configured never changes.
struct Entry {
  ServedExtender config;
  std::shared_ptr<const scheduler::Profile> profile;

  // WhyClusterIsNeeded says for what the entry has to know a cluster, one sentence each; nothing:
  // it can answer from what it is asked alone. Source: docs/design/0015.
  std::vector<std::string> WhyClusterIsNeeded(const scheduler::Registry& registry) const;
  // ActsOnCluster says that it binds, or agrees to preemptions: not for everybody to ask.
  bool ActsOnCluster() const { return !config.bind_verb.empty() || !config.preempt_verb.empty(); }
};

// MakeEntries builds the profiles. Errors (kConfig) name the entry.
// Requires: Validate found nothing.
Result<std::vector<Entry>> MakeEntries(const ExtenderConfiguration& config,
                                       const scheduler::Registry& registry,
                                       const scheduler::PluginHandle& handle);

// Route is what is served at a path.
struct Route {
  const Entry* entry;
  Verb verb;
};
using Routes = std::map<std::string, Route, std::less<>>;
// RoutesOf finds all paths. Requires: the entries stay where they are.
Routes RoutesOf(const std::vector<Entry>& entries);

}  // namespace berth::extender
