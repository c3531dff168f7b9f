// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "convert/draft.h"
#include "convert/finding.h"
#include "crds/plugin_catalogue.h"
#include "crds/scheduler_profile.h"

// Converts former scheduler configurations to SchedulerProfiles.
namespace berth::convert {

struct Options {
  std::string source;  // file name, for messages; its stem may become the profile's name
  std::string name;    // of the profile; empty: derived from the source
  std::string ns;      // spec.namespace; empty: the operator's
  EngineChoice engine = EngineChoice::kImageWhereNeeded;
};

// Converted is one profile, with comments for settings that have no field.
struct Converted {
  crds::SchedulerProfile profile;
  std::vector<std::string> comments;
};

// Conversion is the result for one source. A source with an invalid or missing part has errors and
// no profiles, because a profile without that part would schedule differently. The findings then
// describe the other parts.
struct Conversion {
  std::vector<Converted> profiles;
  std::vector<Finding> findings;
  std::vector<std::string> errors;  // each begins with the source
};

// Converts a Policy, a KubeSchedulerConfiguration v1alpha1 to v1, or the manifests of a scheduler
// (a ConfigMap with such a file, the Deployment that uses it, and related objects), in JSON or
// YAML. Profiles of one configuration that differ only in their names become one profile with
// aliases.
//
// Every part of a Policy or a configuration gets a finding, and so do the objects of manifests and
// the settings of a Deployment. Nothing is dropped silently. Pure. Errors (kConfig) begin with the
// source; syntax errors also show the line.
Result<Conversion> Convert(std::string_view text, const Options& options,
                           const crds::PluginCatalogueView& catalogue);

}  // namespace berth::convert
