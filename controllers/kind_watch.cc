// SPDX-License-Identifier: Apache-2.0
#include "controllers/kind_watch.h"

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

bool IsOf(const api::ObjectMeta& metadata, const std::string& profile) {
  const std::string& name = metadata.name;
  const bool bears_name = name.starts_with(crds::kObjectPrefix) &&
                          std::string_view(name).substr(crds::kObjectPrefix.size()) == profile;
  return bears_name || ProfileOf(metadata) == profile;
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
  const std::string now = after ? ProfileOf(after->metadata()) : "";
  const std::string then = before ? ProfileOf(before->metadata()) : "";
  if (!now.empty()) listener(after->key(), version, now);
  if (!then.empty() && then != now) listener(before->key(), version, then);
}

}  // namespace berth::controllers
