// SPDX-License-Identifier: Apache-2.0
#include "controllers/leftovers.h"

#include <set>

#include <fmt/format.h>

#include "api/apps.h"
#include "base/strings.h"
#include "controllers/kind_watch.h"
#include "crds/names.h"

namespace berth::controllers {
namespace {

api::ObjectReference ReferenceTo(const AnyObject& object) {
  const api::ObjectMeta& metadata = object.metadata();
  return {.api_version = object.resource().ApiVersion(),
          .kind = std::string(object.resource().kind),
          .namespace_ = metadata.namespace_,
          .name = metadata.name,
          .uid = metadata.uid};
}

void AddNamesOf(const api::ObjectMeta& metadata, std::vector<std::string>& names) {
  const auto text = metadata.annotations.find(std::string(kSchedulerNamesAnnotation));
  if (text == metadata.annotations.end() || text->second.empty()) return;
  for (const std::string_view name : Split(text->second, ',')) AddNames({std::string(name)}, names);
}

}  // namespace

Leftovers FindLeftovers(const std::vector<AnyObject>& objects, const Profiles& profiles) {
  std::set<std::string> existing;
  for (const auto& profile : profiles) existing.insert(profile->metadata.name);
  Leftovers leftovers;
  for (const AnyObject& object : objects) {
    const api::ObjectMeta& metadata = object.metadata();
    // A client may change the label to the name of a profile that never existed.
    const std::string profile = ProfileInName(metadata.name);
    if (profile.empty() || existing.contains(profile)) continue;
    const auto [found, is_new] = leftovers.try_emplace(profile);
    Leftover& leftover = found->second;
    if (is_new) leftover.names = {profile};
    AddNamesOf(metadata, leftover.names);
    if (is_new || object.resource().kind == api::Deployment::kResource.kind) {
      leftover.object = ReferenceTo(object);
    }
    if (metadata.owner_references.empty()) leftover.is_orphaned = true;
  }
  return leftovers;
}

std::string OrphanAdvice(const std::string& profile) {
  return fmt::format(
      "create the profile again to manage its scheduler, or delete the scheduler: "
      "kubectl delete deployments,clusterrolebindings --all-namespaces -l {}={}",
      crds::kProfileLabel, profile);
}

void AddLeftovers(const Leftovers& leftovers, NameTable& table) {
  for (const auto& [profile, leftover] : leftovers) {
    ServedNames& names =
        table.try_emplace(profile, ServedNames{.in_use = leftover.names, .given_up = {}})
            .first->second;
    names.is_orphaned = leftover.is_orphaned;
  }
}

}  // namespace berth::controllers
