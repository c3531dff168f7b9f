// SPDX-License-Identifier: Apache-2.0
#include "engine/extender/object_texts.h"

#include <map>

#include "base/json/go_text.h"
#include "base/json/json.h"

namespace berth::engine {
namespace {

using Members = std::map<std::string, json::Raw>;

// An object whose text cannot be decoded again is treated as deleted.
void TakeInto(ObjectTexts& texts, const std::string& uid, const std::string& text) {
  if (auto object = ObjectText(text)) {
    texts.Put(uid, std::move(*object));
  } else {
    texts.Remove(uid);
  }
}

}  // namespace

TextNeeds Both(const TextNeeds& a, const TextNeeds& b) {
  return {.nodes = a.nodes || b.nodes,
          .waiting_pods = a.waiting_pods || b.waiting_pods,
          .placed_pods = a.placed_pods || b.placed_pods};
}

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

void ObjectTexts::Put(const std::string& uid, std::string text) {
  auto shared = std::make_shared<const std::string>(std::move(text));
  const std::lock_guard lock(mutex_);
  texts_.insert_or_assign(uid, std::move(shared));
}

void ObjectTexts::Remove(const std::string& uid) {
  const std::lock_guard lock(mutex_);
  texts_.erase(uid);
}

void ObjectTexts::Clear() {
  std::unordered_map<std::string, Text> gone;  // freed without the lock
  const std::lock_guard lock(mutex_);
  gone.swap(texts_);
}

ObjectTexts::Text ObjectTexts::Find(const std::string& uid) const {
  const std::lock_guard lock(mutex_);
  const auto found = texts_.find(uid);
  return found == texts_.end() ? nullptr : found->second;
}

size_t ObjectTexts::size() const {
  const std::lock_guard lock(mutex_);
  return texts_.size();
}

void KnownTexts::Need(TextNeeds needs) {
  nodes_needed_ = needs.nodes;
  waiting_needed_ = needs.waiting_pods;
  placed_needed_ = needs.placed_pods;
  if (!needs.nodes) nodes.Clear();
  if (!needs.waiting_pods && !needs.placed_pods) pods.Clear();
}

void KnownTexts::Take(const api::Node& node, const std::string& text) {
  if (nodes_needed_) TakeInto(nodes, node.metadata.uid, text);
}

void KnownTexts::Take(const api::Pod& pod, const std::string& text) {
  const bool is_needed = pod.spec.node_name.empty() ? waiting_needed_ : placed_needed_;
  if (is_needed) return TakeInto(pods, pod.metadata.uid, text);
  if (waiting_needed_) pods.Remove(pod.metadata.uid);  // it is no longer pending
}

}  // namespace berth::engine
