// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>

#include "base/error.h"

namespace berth::engine {

// TextNeeds is of which objects the whole text has to be kept, for extenders that are sent whole
// objects.
struct TextNeeds {
  bool nodes = false;
  bool waiting_pods = false;
  bool placed_pods = false;  // who would have to leave a node

  bool any() const { return nodes || waiting_pods || placed_pods; }
  bool operator==(const TextNeeds&) const = default;
};

// ObjectText is an object as the API server sent it, without its kind, as it stands in a list, and
// without metadata.managedFields, which is half of many objects and says nothing to a scheduler.
Result<std::string> ObjectText(std::string_view text);

// ObjectTexts are the objects of one kind, by a name of their own (a node's name, a pod's UID).
// Informers write, the scheduling thread reads. Thread safe.
class ObjectTexts {
 public:
  using Text = std::shared_ptr<const std::string>;

  void Put(const std::string& key, std::string text);
  void Remove(const std::string& key);
  void Clear();
  // Find gives null for an object that is not known, or not any more.
  Text Find(const std::string& key) const;
  size_t size() const;

 private:
  mutable std::mutex mutex_;  // guards texts_
  std::unordered_map<std::string, Text> texts_;
};

// KnownTexts are those that are kept of a cluster.
struct KnownTexts {
  ObjectTexts nodes;  // by name
  ObjectTexts pods;   // by UID
};

}  // namespace berth::engine
