// SPDX-License-Identifier: Apache-2.0
#include "sandbox/apiserver/kinds/kind_registry.h"

#include <algorithm>

#include "sandbox/apiserver/kinds/builtin/kind_table.h"

namespace berth::apiserver {
namespace {

std::string ResourceKey(std::string_view group, std::string_view version, std::string_view plural) {
  std::string key(group);
  key.append("/").append(version).append("/").append(plural);
  return key;
}

}  // namespace

const Subresource* KindInfo::FindSubresource(std::string_view name) const {
  const auto found = std::find_if(subresources.begin(), subresources.end(),
                                  [&](const Subresource& entry) { return entry.name == name; });
  return found == subresources.end() ? nullptr : &*found;
}

bool KindInfo::HasVerb(std::string_view verb) const {
  return std::find(verbs.begin(), verbs.end(), verb) != verbs.end();
}

KindRegistry::KindRegistry() : builtin_(BuiltinKinds()) { Rebuild(); }

KindPtr KindRegistry::Find(std::string_view group, std::string_view version,
                           std::string_view plural) const {
  const auto found = by_resource_.find(ResourceKey(group, version, plural));
  return found == by_resource_.end() ? nullptr : found->second;
}

KindPtr KindRegistry::FindKind(const GroupVersionKind& kind) const {
  const auto found = by_kind_.find(kind);
  return found == by_kind_.end() ? nullptr : found->second;
}

void KindRegistry::SetCustom(const std::string& definition, std::vector<KindPtr> versions) {
  custom_[definition] = std::move(versions);
  Rebuild();
}

void KindRegistry::RemoveCustom(const std::string& definition) {
  custom_.erase(definition);
  Rebuild();
}

const KindRegistry::Group* KindRegistry::FindGroup(std::string_view name) const {
  const auto found = std::find_if(groups_.begin(), groups_.end(),
                                  [&](const Group& group) { return group.name == name; });
  return found == groups_.end() ? nullptr : &*found;
}

void KindRegistry::Rebuild() {
  groups_.clear();
  by_resource_.clear();
  by_kind_.clear();
  const auto add = [this](const KindPtr& kind) {
    by_resource_[ResourceKey(kind->group, kind->version, kind->plural)] = kind;
    by_kind_[kind->Gvk()] = kind;
    auto group = std::find_if(groups_.begin(), groups_.end(),
                              [&](const Group& entry) { return entry.name == kind->group; });
    if (group == groups_.end()) group = groups_.insert(group, {kind->group, {}});
    auto version = std::find_if(group->versions.begin(), group->versions.end(),
                                [&](const Version& entry) { return entry.name == kind->version; });
    if (version == group->versions.end()) {
      version = group->versions.insert(version, {kind->version, {}});
    }
    version->kinds.push_back(kind);
  };
  for (const KindPtr& kind : builtin_) add(kind);
  for (const auto& [definition, kinds] : custom_) {
    for (const KindPtr& kind : kinds) add(kind);
  }
}

}  // namespace berth::apiserver
