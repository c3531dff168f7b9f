// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <utility>

#include "crds/plugin_catalogue.h"
#include "scheduler/framework/registry.h"

namespace berth::controllers {

// Returns the plugins as profiles see them: upstream's in the order of its default profile, then
// the plugins that only this build has.
crds::PluginCatalogueView ViewOf(const scheduler::Registry& registry);

// PluginCatalogue holds the plugins of this build, both as the scheduler's registry and as profiles
// see them. Immutable.
class PluginCatalogue {
 public:
  explicit PluginCatalogue(scheduler::Registry registry)
      : registry_(std::move(registry)), view_(ViewOf(registry_)) {}

  const scheduler::Registry& registry() const { return registry_; }
  const crds::PluginCatalogueView& view() const { return view_; }

 private:
  scheduler::Registry registry_;
  crds::PluginCatalogueView view_;
};

}  // namespace berth::controllers
