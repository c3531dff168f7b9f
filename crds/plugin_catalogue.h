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

// PluginView is the part of a plugin's descriptor that profiles need. scheduler/ describes plugins;
// this folder does not know scheduler/, so a layer that knows both creates the view.
struct PluginView {
  std::string name;
  std::vector<std::string>
      points;  // "filter", "score", …: as in the configuration, without multiPoint
  int32_t default_weight = 0;  // 0: none given
  bool in_default_profile = false;
  bool is_upstream = false;                        // in kube-scheduler
  bool served = true;                              // false: known, but not available in this engine
  std::string needs = "";                          // if not served: the missing feature, in words
  std::vector<api::PluginPermission> permissions;  // maximum over all args
  // Returns the subset of `permissions` for these args. Unset: all, with any args.
  std::function<std::vector<api::PluginPermission>(const json::Raw& args)> permissions_with;
  const json::Type* args = nullptr;  // null: no args, or not served
  // Returns the errors in args, with paths below "args". Unset: the plugin is not served, so its
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

// PluginCatalogueView lists all known plugins: those of the default profile in its order, then the
// others.
struct PluginCatalogueView {
  std::vector<PluginView> plugins;
  std::string_view not_served = kNotServed;  // text for plugins that are not served
  // Permissions of every scheduler, independent of plugins.
  std::vector<api::PluginPermission> base_permissions;

  const PluginView* Find(std::string_view name) const;

  // Returns the message for a known plugin that is not served.
  std::string WhyNotServed(const PluginView& plugin) const;

  // Returns the most similar known name, with a remark if this version does not serve it; nullopt
  // if none is similar.
  std::optional<std::string> Nearest(std::string_view name) const;
};

// Returns the catalogue of a stock kube-scheduler: it serves all plugins of upstream and none of
// Berth's own.
PluginCatalogueView OfKubeScheduler(PluginCatalogueView catalogue);

}  // namespace berth::crds
