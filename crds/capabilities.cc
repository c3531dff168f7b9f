// SPDX-License-Identifier: Apache-2.0
#include "crds/capabilities.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "base/strings.h"
#include "crds/manifest.h"
#include "crds/scheduler_profile.h"

namespace berth::crds {
namespace {

// Groups resources by (group, verbs): rules that differ only in resources are merged.
using Rules = std::map<std::pair<std::string, std::vector<std::string>>, std::set<std::string>>;

void Add(const api::PluginPermission& permission, std::map<std::string, Rules>& rules) {
  const std::vector<std::string_view> words = Split(permission.verbs, ',');
  std::vector<std::string> verbs(words.begin(), words.end());
  std::sort(verbs.begin(), verbs.end());
  rules[std::string(permission.capability)][{std::string(permission.group), std::move(verbs)}]
      .insert(std::string(permission.resource));
}

api::ClusterRole RoleOf(const std::string& capability, const Rules& rules) {
  api::ClusterRole role{.metadata = InstalledMeta(CapabilityRoleName(capability), "capability")};
  for (const auto& [key, resources] : rules) {
    role.rules.push_back(RuleFor(key.first, {resources.begin(), resources.end()}, key.second));
  }
  return role;
}

api::ClusterRole AccessRole(std::string_view suffix, std::vector<std::string> verbs,
                            std::vector<std::string> status_verbs) {
  const std::string plural(SchedulerProfile::kResource.plural);
  api::ClusterRole role{
      .metadata = InstalledMeta(std::string(kCapabilityPrefix) + plural + "-" + std::string(suffix),
                                "access")};
  role.rules = {RuleFor(kGroup, {plural}, std::move(verbs)),
                RuleFor(kGroup, {plural + "/status"}, std::move(status_verbs))};
  return role;
}

}  // namespace

std::string CapabilityRoleName(std::string_view capability) {
  return std::string(kCapabilityPrefix) + std::string(capability);
}

std::vector<std::string> KubeSchedulerCapabilities() {
  return {"kube-scheduler", "volume-scheduler"};
}

std::string KubeSchedulerRoleName(std::string_view capability) {
  return "system:" + std::string(capability);
}

api::PolicyRule RuleFor(std::string_view group, std::vector<std::string> resources,
                        std::vector<std::string> verbs) {
  return {.api_groups = {std::string(group)},
          .resources = std::move(resources),
          .verbs = std::move(verbs)};
}

std::vector<api::ClusterRole> CapabilityRoles(const PluginCatalogueView& catalogue) {
  const std::string base(api::kBaseCapability);
  std::map<std::string, Rules> rules;
  for (const api::PluginPermission& permission : catalogue.base_permissions) Add(permission, rules);
  for (const PluginView& plugin : catalogue.plugins) {
    if (!plugin.served) continue;
    for (const api::PluginPermission& permission : plugin.permissions) Add(permission, rules);
  }
  std::vector<api::ClusterRole> roles{RoleOf(base, rules[base])};
  for (const auto& [capability, own] : rules) {
    if (capability != base) roles.push_back(RoleOf(capability, own));
  }
  return roles;
}

std::vector<api::ClusterRole> ProfileAccessRoles() {
  const std::vector<std::string> read{"get", "list", "watch"};
  const std::vector<std::string> write{"create", "delete", "get",  "list",
                                       "patch",  "update", "watch"};
  std::vector<std::string> administer = write;
  administer.insert(administer.begin() + 2, "deletecollection");
  api::ClusterRole viewer = AccessRole("viewer", read, {"get"});
  viewer.metadata.labels["rbac.authorization.k8s.io/aggregate-to-view"] = "true";
  return {AccessRole("admin", administer, {"get"}), AccessRole("editor", write, {"get"}),
          std::move(viewer)};
}

}  // namespace berth::crds
