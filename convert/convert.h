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

// What a scheduler was configured with before becomes SchedulerProfiles.
namespace berth::convert {

struct Options {
  std::string source;  // name of the file, for messages; its stem may become the profile's name
  std::string name;    // of the profile; empty: as the source says
  std::string ns;      // spec.namespace; empty: the operator's
  EngineChoice engine = EngineChoice::kImageWhereNeeded;
};

// Converted is one profile, with lines for its reader that it has no fields for.
struct Converted {
  crds::SchedulerProfile profile;
  std::vector<std::string> comments;
};

struct Conversion {
  std::vector<Converted> profiles;
  std::vector<Finding> findings;
};

// Convert reads a Policy, a KubeSchedulerConfiguration v1alpha1 to v1, or the manifests around one
// (a ConfigMap with such a file, the Deployment that names it, and what else stands there), JSON or
// YAML. Profiles of one configuration that are equal but for their name become one with aliases.
//
// Nothing of a Policy or a configuration is left out in silence: each part has its finding. So have
// the objects of manifests, and what a Deployment says of its scheduler. Pure. Errors (kConfig)
// begin with the source; one in the text itself also shows the line.
Result<Conversion> Convert(std::string_view text, const Options& options,
                           const crds::PluginCatalogueView& catalogue);

}  // namespace berth::convert
