// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <utility>

#include "crds/plugin_catalogue.h"
#include "scheduler/framework/registry.h"

namespace berth::controllers {

// ViewOf gives what profiles have to know of the plugins: all of upstream's, in the order of its
// default profile, then those that only this build has.
crds::PluginCatalogueView ViewOf(const scheduler::Registry& registry);

// PluginCatalogue is the plugins of this build, for the scheduler's own functions and as profiles
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
