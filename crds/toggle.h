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

// Plans the changes of a profile's plugin lists that enable, disable or weight one plugin, and
// reports the changed fields of other field managers.
namespace berth::crds {

// ToggleRequest is the input of `berth enable`, `berth disable` and `berth weight`.
struct ToggleRequest {
  enum class Verb : uint8_t { kEnable, kDisable, kWeight };
  Verb verb;
  std::string plugin;
  std::vector<std::string> points = {};  // "filter", …; empty: all points that it implements
  int32_t weight = 0;                    // for kWeight, which has no points: at least 1
};

// OwnerOf returns another field manager that owns the field at a path
// ("spec.plugins.score.enabled[name=NodeAffinity].weight" or the entry itself); "" if none does.
using OwnerOf = std::function<std::string(const std::string& path)>;

// ToggleEdit is one changed entry of a list.
struct ToggleEdit {
  std::string path;   // "spec.plugins.score.enabled[name=NodeAffinity]"
  std::string what;   // "added", "added with weight 5", "removed", "from 1 to 5"
  std::string owner;  // another field manager that owns it; "": none
  bool operator==(const ToggleEdit&) const = default;
};

struct TogglePlan {
  api::Plugins plugins;           // the new lists
  std::vector<ToggleEdit> edits;  // empty: already as requested
  std::vector<std::string> notes;

  bool ChangesForeignFields() const;
};

// Plans minimal changes; changes fields of other field managers only if necessary:
//
//   enable   removes the entry in `disabled`. Adds to `enabled`, which takes precedence, if the
//            plugin is not in the default profile or another manager disables it. A queue sort
//            plugin replaces the current one.
//   disable  removes the entries in `enabled` at all points, because they take precedence over
//            `disabled`. Then adds to `disabled` of multiPoint if the default profile enables it,
//            or of each point if another manager enables it in multiPoint. After disabling the
//            queue sort plugin, the default one is restored.
//   weight   changes the entry that has a weight, else adds to `enabled` of score, which takes
//            precedence over multiPoint.
//
// Pure. Errors (kConfig): unknown plugins or points; validation errors of the new lists that the
// old lists did not have, in the words of ValidatePlugins.
Result<TogglePlan> PlanToggle(const SchedulerProfileSpec& spec,
                              const PluginCatalogueView& catalogue, const ToggleRequest& request,
                              const OwnerOf& owner_of);

}  // namespace berth::crds
