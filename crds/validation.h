// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "api/field_error.h"
#include "crds/plugin_catalogue.h"
#include "crds/scheduler_profile.h"

namespace berth::crds {

// DefaultSchedulerName selects whether a profile may use the scheduler name default-scheduler.
enum class DefaultSchedulerName { kReject, kAllow };

// Returns all errors of a profile: those of the schema, its CEL rules (crds/rules.h) and the
// admission policy, and those that only the operator detects, such as invalid arguments. Pure; used
// by the operator and `berth validate`. Requires: `profile` went through WithDefaults. Only the API
// server checks that the namespace is unchanged.
std::vector<api::FieldError> Validate(
    const SchedulerProfile& profile, const PluginCatalogueView& catalogue,
    DefaultSchedulerName default_scheduler = DefaultSchedulerName::kReject);

// Reports whether the profile's scheduler is this version's core, so that the catalogue determines
// the effective plugins.
bool PluginsAreKnown(const EngineSpec& engine);

// Reports whether the scheduler is this version's core or a stock kube-scheduler, so that the
// catalogue has all plugin names. With another image any name is accepted.
bool PluginNamesAreKnown(const EngineSpec& engine);

// Returns the plugins of the engine: this version's, or those of a kube-scheduler.
PluginCatalogueView CatalogueOf(const EngineSpec& engine, const PluginCatalogueView& catalogue);

// The part of Validate that needs the engine's catalogue.
// Requires: PluginNamesAreKnown.
std::vector<api::FieldError> ValidatePlugins(const SchedulerProfileSpec& spec,
                                             const PluginCatalogueView& catalogue);

}  // namespace berth::crds
