// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "crds/plugin_catalogue.h"
#include "crds/scheduler_profile.h"

namespace berth::crds {

// Returns kube-scheduler's plugins (pkg/scheduler/framework/plugins/registry.go,
// NewInTreeRegistry), of which only those without volumes, devices and other pods are served; and
// QOSSort and Coscheduling of Berth. NodeResourcesFit rejects args that contain "bad".
PluginCatalogueView UpstreamCatalogue();

// Decodes a SchedulerProfile named "p" with this spec (YAML).
SchedulerProfile ProfileOf(const std::string& spec);

// The same with defaults and a namespace, like the operator.
SchedulerProfile PlacedProfileOf(const std::string& spec);

}  // namespace berth::crds
