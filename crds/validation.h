// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "api/field_error.h"
#include "crds/plugin_catalogue.h"
#include "crds/scheduler_profile.h"

namespace berth::crds {

// ReservedNames says whether a profile may answer for the name default-scheduler.
enum class ReservedNames { kReject, kAllow };

// Validate gives every mistake of a profile: what the schema, its CEL rules (crds/rules.h) and the
// admission policy refuse at apply, and what only the operator can see, such as wrong arguments.
// Pure; the operator and `berth validate` call it. Requires: `profile` went through WithDefaults.
// That the namespace is unchanged is the API server's to see.
std::vector<api::FieldError> Validate(const SchedulerProfile& profile,
                                      const PluginCatalogueView& catalogue,
                                      ReservedNames reserved = ReservedNames::kReject);

// PluginsAreKnown says that the profile's scheduler is this version's core, so that the catalogue
// tells what its plugin lists come to.
bool PluginsAreKnown(const EngineSpec& engine);

// PluginNamesAreKnown says that the scheduler is this version's core or a stock kube-scheduler, so
// that the catalogue tells which plugins exist. With another image names are taken as they are.
bool PluginNamesAreKnown(const EngineSpec& engine);

// CatalogueOf is the plugins that the engine has: this version's, or those of a kube-scheduler.
PluginCatalogueView CatalogueOf(const EngineSpec& engine, const PluginCatalogueView& catalogue);

// ValidatePlugins is the part of Validate that asks the catalogue of the engine.
// Requires: PluginNamesAreKnown.
std::vector<api::FieldError> ValidatePlugins(const SchedulerProfileSpec& spec,
                                             const PluginCatalogueView& catalogue);

}  // namespace berth::crds
