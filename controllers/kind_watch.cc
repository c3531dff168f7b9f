// SPDX-License-Identifier: Apache-2.0
#include "controllers/kind_watch.h"

#include <set>

#include "base/json/json.h"
#include "controllers/render.h"
#include "crds/names.h"

namespace berth::controllers {

client::ReflectorOptions OursIn(const std::string& ns) {
  client::ReflectorOptions options;
  options.ns = ns;
  options.label_selector = std::string(kManagedByLabel) + "=" + std::string(kFieldManager);
  return options;
}

std::string ProfileOf(const api::ObjectMeta& metadata) {
  const auto label = metadata.labels.find(std::string(crds::kProfileLabel));
  return label == metadata.labels.end() ? "" : label->second;
}

std::string ProfileInName(std::string_view name) {
  if (name.starts_with(crds::kObjectPrefix)) {
    return std::string(name.substr(crds::kObjectPrefix.size()));
  }
  if (!name.starts_with(crds::kCapabilityPrefix)) return "";
  name.remove_prefix(crds::kCapabilityPrefix.size());
  const size_t end = name.find(':');
  return end == name.npos ? "" : std::string(name.substr(0, end));
}

bool IsOf(const api::ObjectMeta& metadata, const std::string& profile) {
  return ProfileInName(metadata.name) == profile || ProfileOf(metadata) == profile;
}

bool LooksRendered(const api::ObjectMeta& metadata, const std::string& profile) {
  return ProfileOf(metadata) == profile &&
         metadata.annotations.contains(std::string(kRenderedHashAnnotation));
}

bool IsKnown(const client::AnyInformer& informer) {
  const client::ReflectorStatus status = informer.status();
  return status.synced ||
         (status.failing && status.last_error && status.last_error->Is(Reason::kForbidden));
}

void LiveTexts::Put(const api::ObjectMeta& metadata, const std::string& text) {
  auto members = json::Decode<std::map<std::string, json::Raw>>(text);
  if (!members) return;
  members->erase("metadata");
  members->erase("status");
  auto kept = std::make_shared<const std::string>(json::Encode(*members));
  const std::lock_guard lock(mutex_);
  texts_[{metadata.namespace_, metadata.name}] = {metadata.resource_version, std::move(kept)};
}

void LiveTexts::Remove(const api::ObjectMeta& metadata) {
  const std::lock_guard lock(mutex_);
  texts_.erase({metadata.namespace_, metadata.name});
}

std::shared_ptr<const std::string> LiveTexts::Of(const api::ObjectMeta& metadata) const {
  const std::lock_guard lock(mutex_);
  const auto found = texts_.find({metadata.namespace_, metadata.name});
  if (found == texts_.end() || found->second.version != metadata.resource_version) return nullptr;
  return found->second.text;
}

void NotifyProfiles(const KindWatch::Listener& listener, const std::optional<AnyObject>& before,
                    const std::optional<AnyObject>& after) {
  const std::string version = after ? after->metadata().resource_version : "";
  const ObjectKey key = after ? after->key() : before->key();
  std::set<std::string> profiles = {ProfileInName(key.name)};
  if (before) profiles.insert(ProfileOf(before->metadata()));
  if (after) profiles.insert(ProfileOf(after->metadata()));
  profiles.erase("");
  for (const std::string& profile : profiles) listener(key, version, profile);
}

}  // namespace berth::controllers
