// SPDX-License-Identifier: Apache-2.0
#include "controllers/plugin_catalogue.h"

#include <string>

#include "scheduler/plugins/permissions.h"

namespace berth::controllers {
namespace {

using crds::PluginView;

std::vector<std::string> PointNames(scheduler::PointSet points) {
  std::vector<std::string> names;
  for (size_t i = 0; i < scheduler::kExtensionPointCount; ++i) {
    const auto point = static_cast<scheduler::ExtensionPoint>(i);
    if (points.Has(point)) names.emplace_back(scheduler::ToString(point));
  }
  return names;
}

// The core's error paths start within args; in a profile they are below "args". An error in args as
// a whole already has that path.
std::vector<api::FieldError> BelowArgs(std::vector<api::FieldError> errors) {
  for (api::FieldError& error : errors) {
    const bool is_below = error.path == "args" || error.path.starts_with("args.");
    if (!is_below) error.path = api::Child("args", error.path);
  }
  return errors;
}

std::vector<api::PluginPermission> PermissionsOf(const scheduler::PluginDescriptor& descriptor,
                                                 scheduler::ObjectKindSet reads) {
  std::vector<api::PluginPermission> permissions = descriptor.permissions;
  const auto to_read = scheduler::ReadPermissions(reads);
  permissions.insert(permissions.end(), to_read.begin(), to_read.end());
  return permissions;
}

void AddServed(const scheduler::PluginDescriptor& descriptor, PluginView& view) {
  view.served = true;
  view.points = PointNames(descriptor.points);
  view.args = descriptor.args;
  view.check_args = [check = descriptor.check](const json::Raw& args) {
    return BelowArgs(check(args));
  };
  if (descriptor.default_weight != 0) view.default_weight = descriptor.default_weight;
  view.permissions = PermissionsOf(descriptor, descriptor.reads);
  view.permissions_with = [descriptor](const json::Raw& args) {
    return PermissionsOf(descriptor, descriptor.ReadsWith(args));
  };
}

}  // namespace

crds::PluginCatalogueView ViewOf(const scheduler::Registry& registry) {
  crds::PluginCatalogueView catalogue;
  for (const scheduler::UpstreamPlugin& upstream : scheduler::UpstreamPlugins()) {
    PluginView view{.name = std::string(upstream.name),
                    .points = PointNames(upstream.points),
                    .default_weight = upstream.weight,
                    .in_default_profile = upstream.IsDefault(),
                    .is_upstream = true,
                    .served = false,
                    .needs = scheduler::GatesNeeded(upstream)};
    if (const auto* descriptor = registry.Find(upstream.name)) AddServed(*descriptor, view);
    catalogue.plugins.push_back(std::move(view));
  }
  for (const scheduler::PluginDescriptor& descriptor : registry.plugins()) {
    if (catalogue.Find(descriptor.name) != nullptr) continue;
    PluginView view{.name = std::string(descriptor.name)};
    AddServed(descriptor, view);
    catalogue.plugins.push_back(std::move(view));
  }
  const auto base = scheduler::BasePermissions();
  catalogue.base_permissions.assign(base.begin(), base.end());
  return catalogue;
}

}  // namespace berth::controllers
