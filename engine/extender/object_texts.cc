// SPDX-License-Identifier: Apache-2.0
#include "engine/extender/object_texts.h"

#include <map>

#include "base/json/go_text.h"
#include "base/json/json.h"

namespace berth::engine {
namespace {

using Members = std::map<std::string, json::Raw>;

}  // namespace

Result<std::string> ObjectText(std::string_view text) {
  BERTH_TRY(Members object, json::Decode<Members>(text));
  object.erase("kind");
  object.erase("apiVersion");
  if (const auto metadata = object.find("metadata"); metadata != object.end()) {
    BERTH_TRY(Members members, json::Decode<Members>(metadata->second.text));
    if (members.erase("managedFields") > 0) metadata->second.text = json::EncodeGo(members);
  }
  return json::EncodeGo(object);
}

void ObjectTexts::Put(const std::string& key, std::string text) {
  auto shared = std::make_shared<const std::string>(std::move(text));
  const std::lock_guard lock(mutex_);
  texts_.insert_or_assign(key, std::move(shared));
}

void ObjectTexts::Remove(const std::string& key) {
  const std::lock_guard lock(mutex_);
  texts_.erase(key);
}

void ObjectTexts::Clear() {
  std::unordered_map<std::string, Text> gone;  // freed without the lock
  const std::lock_guard lock(mutex_);
  gone.swap(texts_);
}

ObjectTexts::Text ObjectTexts::Find(const std::string& key) const {
  const std::lock_guard lock(mutex_);
  const auto found = texts_.find(key);
  return found == texts_.end() ? nullptr : found->second;
}

size_t ObjectTexts::size() const {
  const std::lock_guard lock(mutex_);
  return texts_.size();
}

}  // namespace berth::engine
