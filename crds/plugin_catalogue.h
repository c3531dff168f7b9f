// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/field_error.h"
#include "api/scheduler_contract.h"
#include "base/json/type.h"

namespace berth::crds {

// PluginView is what profiles have to know of a plugin. scheduler/ describes plugins; this folder
// does not know it, so a layer that knows both makes the view.
struct PluginView {
  std::string name;
  std::vector<std::string>
      points;  // "filter", "score", …: as the configuration spells them, without multiPoint
  int32_t default_weight = 0;  // 0: none given
  bool in_default_profile = false;
  bool is_upstream = false;  // one of kube-scheduler's own
  bool served = true;        // false: known, and not in the scheduler that is looked at
  std::string needs = "";    // what it would need, in words, where it is not served
  std::vector<api::PluginPermission> permissions;  // all that it may need
  // Gives those of `permissions` that it needs with these args. Empty: all of them, with any args.
  std::function<std::vector<api::PluginPermission>(const json::Raw& args)> permissions_with;
  const json::Type* args = nullptr;  // that it takes; null: none, or it is not served
  // Gives the mistakes in args, with paths below "args". Empty: the plugin is not served, so its
  // args cannot be checked.
  std::function<std::vector<api::FieldError>(const json::Raw& args)> check_args;

  bool Implements(std::string_view point) const;
  std::vector<api::PluginPermission> PermissionsWith(const json::Raw& args) const {
    return permissions_with ? permissions_with(args) : permissions;
  }
};

inline constexpr std::string_view kUnknownPlugin = "unknown plugin";
inline constexpr std::string_view kNotServed = "not served by this version";
inline constexpr std::string_view kNotKubeSchedulers = "not served by kube-scheduler";

// PluginCatalogueView is all plugins known, in the order of the default profile; those outside it
// follow.
struct PluginCatalogueView {
  std::vector<PluginView> plugins;
  std::string_view not_served = kNotServed;  // by whom those are not served that are known and not
  // What every scheduler needs, whatever its plugins.
  std::vector<api::PluginPermission> base_permissions;

  const PluginView* Find(std::string_view name) const;

  // WhyNotServed is what is said of a plugin that is known and not served.
  std::string WhyNotServed(const PluginView& plugin) const;

  // Nearest is the known name that was most likely meant, with a remark if this version does not
  // serve it; nothing when none is near.
  std::optional<std::string> Nearest(std::string_view name) const;
};

// OfKubeScheduler is the catalogue of a stock kube-scheduler: it serves all of upstream's plugins,
// and none that only Berth has.
PluginCatalogueView OfKubeScheduler(PluginCatalogueView catalogue);

}  // namespace berth::crds
