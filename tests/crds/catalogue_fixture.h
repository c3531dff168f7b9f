// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "crds/plugin_catalogue.h"
#include "crds/scheduler_profile.h"

namespace berth::crds {

// UpstreamCatalogue is kube-scheduler 1.36's plugins (pkg/scheduler/framework/plugins/registry.go,
// NewInTreeRegistry), of which those that need no volumes, devices or other pods are served; and
// QOSSort, which is ours alone. NodeResourcesFit refuses args that hold "bad".
PluginCatalogueView UpstreamCatalogue();

// ProfileOf reads a SchedulerProfile named "p" with this spec (YAML).
SchedulerProfile ProfileOf(const std::string& spec);

// PlacedProfileOf reads it as the operator does: with its defaults and a namespace.
SchedulerProfile PlacedProfileOf(const std::string& spec);

}  // namespace berth::crds
