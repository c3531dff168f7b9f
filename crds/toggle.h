// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "api/scheduler_config.h"
#include "base/error.h"
#include "crds/plugin_catalogue.h"
#include "crds/scheduler_profile.h"

// What becomes of a profile's plugin lists when one plugin is to be enabled, disabled or given a
// weight, and which of the fields that have to change are somebody else's.
namespace berth::crds {

// ToggleRequest is what `berth enable`, `berth disable` and `berth weight` ask for.
struct ToggleRequest {
  enum class Verb : uint8_t { kEnable, kDisable, kWeight };
  Verb verb;
  std::string plugin;
  std::vector<std::string> points = {};  // "filter", …; empty: all that it implements
  int32_t weight = 0;                    // with kWeight, which knows no points: 1 and more
};

// OwnerOf names the field manager, other than the one that is about to write, that owns the field at
// a path, "spec.plugins.score.enabled[name=NodeAffinity].weight" or the entry itself; "" for nobody.
using OwnerOf = std::function<std::string(const std::string& path)>;

// ToggleEdit is one entry of a list that changes.
struct ToggleEdit {
  std::string path;   // "spec.plugins.score.enabled[name=NodeAffinity]"
  std::string what;   // "added", "added with weight 5", "removed", "from 1 to 5"
  std::string owner;  // whose it is to change; "": nobody stands in the way
  bool operator==(const ToggleEdit&) const = default;
};

struct TogglePlan {
  api::Plugins plugins;           // as they are to be
  std::vector<ToggleEdit> edits;  // none: it is so already
  std::vector<std::string> notes;

  bool TakesFromOthers() const;
};

// PlanToggle changes as little as it can, and fields of others only where nothing else helps:
//
//   enable   off `disabled`, or where it is not of the default profile, or somebody else disables
//            it, onto `enabled`, which prevails. A queue sort takes the place of the one before.
//   disable  off `enabled`, at whichever point, since `disabled` says nothing of what is listed
//            there; then onto `disabled` of multiPoint, if it comes with the default profile, or of
//            each point, if somebody else enables it in multiPoint. Where it was the queue sort, that
//            of the default profile is back.
//   weight   at the entry that states one, else onto `enabled` of score, which goes before multiPoint
//
// Pure. Errors (kConfig): a plugin or a point that does not exist; what the admission policy or the
// operator would refuse of the profile and did not before, in the words of ValidatePlugins.
Result<TogglePlan> PlanToggle(const SchedulerProfileSpec& spec,
                              const PluginCatalogueView& catalogue, const ToggleRequest& request,
                              const OwnerOf& owner_of);

}  // namespace berth::crds
