// SPDX-License-Identifier: Apache-2.0
#include "client/informer.h"

#include "base/json/json.h"
#include "base/log.h"

namespace berth::client {
namespace {

StoreKey StoreKeyOf(const api::ObjectMeta& metadata) {
  return {metadata.namespace_, metadata.name};
}

ReflectorOptions WithVersions(ReflectorOptions options, const ObjectType& type) {
  options.old_versions = type.old_versions;
  return options;
}

}  // namespace

AnyInformer::AnyInformer(Client& client, ReflectorOptions options, const Clock& clock,
                         const ObjectType& type)
    : type_(type),
      version_(type.resource.version),
      loop_(client, type.resource, WithVersions(std::move(options), type), clock, *this) {}

void AnyInformer::ListBegins() {
  has_new_version_ = loop_.resource().version != version_;
  unseen_.clear();
  for (StoreKey& key : store_.Keys()) unseen_.insert(std::move(key));
  const std::lock_guard lock(mutex_);
  for (const auto& [key, object] : unreadable_) unseen_.insert(key);
}

void AnyInformer::ListEnds() {
  for (const StoreKey& key : unseen_) {
    Drop(key, nullptr);
    if (ForgetUnreadable(key)) ReportUnreadable(key);
  }
  unseen_.clear();
  version_ = loop_.resource().version;
  has_new_version_ = false;
  for (const auto& listener : listed_) listener();
}

std::string AnyInformer::Change(EventType type, const std::string& text) {
  if (before_object_) before_object_(text.size());
  Result<Object> decoded = Decode(text);
  if (!decoded) {
    TakeUnreadable(type, text, decoded.error());
    return "";
  }
  const Object object = std::move(*decoded);
  StoreKey key = StoreKeyOf(type_.metadata(object.get()));
  unseen_.erase(key);
  ForgetUnreadable(key);
  if (type == EventType::kDeleted) {
    Drop(key, object);
  } else {
    for (const auto& listener : text_listeners_) listener(object.get(), text);
    Keep(std::move(key), object);
  }
  return type_.metadata(object.get()).resource_version;
}

void AnyInformer::Synced() {
  for (const auto& listener : synced_) listener();
}

Result<AnyInformer::Object> AnyInformer::Decode(const std::string& text) const {
  std::shared_ptr<void> object = type_.make();
  BERTH_TRY_VOID(json::DecodeInto(text, type_.description(), object.get(), json::Mode::kLenient));
  if (type_.set_api_version != nullptr) {
    type_.set_api_version(object.get(), loop_.resource().ApiVersion());
  }
  if (transform_) transform_(object.get());
  return object;
}

void AnyInformer::TakeUnreadable(EventType type, const std::string& text, Error error) {
  StoreKey key;
  const auto header = json::Decode<api::ObjectHeader>(text);
  if (header) key = StoreKeyOf(header->metadata);
  unseen_.erase(key);
  if (header && type == EventType::kDeleted) {
    Drop(key, nullptr);
    if (ForgetUnreadable(key)) ReportUnreadable(key);
    return;
  }
  log::Warn("Ignored an object that could not be read", {{"resource", type_.resource.plural},
                                                         {"namespace", key.first},
                                                         {"name", key.second},
                                                         {"err", error}});
  if (!header || unreadable_listeners_.empty()) return;
  {
    const std::lock_guard lock(mutex_);
    unreadable_.insert_or_assign(key, UnreadableObject{text, std::move(error)});
  }
  ReportUnreadable(key);
}

bool AnyInformer::ForgetUnreadable(const StoreKey& key) {
  const std::lock_guard lock(mutex_);
  return unreadable_.erase(key) > 0;
}

void AnyInformer::ReportUnreadable(const StoreKey& key) const {
  for (const auto& listener : unreadable_listeners_) listener(key);
}

std::optional<UnreadableObject> AnyInformer::Unreadable(const StoreKey& key) const {
  const std::lock_guard lock(mutex_);
  const auto found = unreadable_.find(key);
  if (found == unreadable_.end()) return std::nullopt;
  return found->second;
}

std::vector<UnreadableObject> AnyInformer::AllUnreadable() const {
  const std::lock_guard lock(mutex_);
  std::vector<UnreadableObject> objects;
  for (const auto& [key, object] : unreadable_) objects.push_back(object);
  return objects;
}

// Stores a state and notifies listeners of the change: new, modified, or another object of the same
// name. An unchanged object is not reported.
void AnyInformer::Keep(StoreKey key, const Object& object) {
  const std::lock_guard lock(store_.changes());
  const api::ObjectMeta& metadata = type_.metadata(object.get());
  Object old = store_.Put(std::move(key), KeepsAll() ? object : type_.extract(object));
  if (old != nullptr && UidOf(old) != metadata.uid) {
    NotifyDeleted(nullptr, old);
    old = nullptr;
  }
  if (old == nullptr) {
    return Tell({.type = api::ChangeType::kAdded, .before = {}, .after = object, .lost_uid = {}});
  }
  if (VersionOf(old) == metadata.resource_version && !has_new_version_) return;
  Tell({.type = api::ChangeType::kModified,
        .before = KeepsAll() ? std::move(old) : nullptr,
        .after = object,
        .lost_uid = {}});
}

void AnyInformer::Drop(const StoreKey& key, Object last_state) {
  const std::lock_guard lock(store_.changes());
  if (const Object kept = store_.Remove(key)) NotifyDeleted(std::move(last_state), kept);
}

// Reports a deletion with the best known state: that of the server's event, else the stored object,
// else the UID.
void AnyInformer::NotifyDeleted(Object last_state, const Object& kept) {
  if (last_state == nullptr && KeepsAll()) last_state = kept;
  Tell({.type = api::ChangeType::kDeleted,
        .before = std::move(last_state),
        .after = {},
        .lost_uid = UidOf(kept)});
}

void AnyInformer::Tell(AnyChange change) const {
  for (const auto& listener : listeners_) listener(change);
}

const std::string& AnyInformer::UidOf(const Object& kept) const {
  return KeepsAll() ? type_.metadata(kept.get()).uid : type_.uid(kept.get());
}

const std::string& AnyInformer::VersionOf(const Object& kept) const {
  return KeepsAll() ? type_.metadata(kept.get()).resource_version
                    : type_.resource_version(kept.get());
}

}  // namespace berth::client
