// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <vector>

#include "api/field_error.h"
#include "api/old_scheduler_config.h"
#include "convert/draft.h"
#include "convert/finding.h"
#include "convert/old_plugins.h"
#include "crds/plugin_catalogue.h"

namespace berth::convert {

// Returns the errors of a configuration's scheduler names: profiles that share one, and one of
// several profiles that has none. Source: kube-scheduler
// pkg/scheduler/apis/config/validation/validation.go, ValidateKubeSchedulerConfiguration.
std::vector<api::FieldError> NameErrorsOf(const api::OldSchedulerConfiguration& config);

// Returns a draft for each profile of a configuration of any version; v1alpha1 has one profile. The
// caller must add the Policy that a v1alpha1 configuration refers to. Errors (kConfig): arguments
// that are not an object, an invalid timeout.
//
// Plugins unknown to this version are treated as the user's own: they are kept and reported.
Result<std::vector<Draft>> DraftsOf(const api::OldSchedulerConfiguration& config,
                                    ConfigVersion version, EngineChoice choice,
                                    const crds::PluginCatalogueView& catalogue,
                                    const Reporter& reporter);

}  // namespace berth::convert
