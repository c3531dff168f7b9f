// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <concepts>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>

#include "api/node.h"
#include "api/pod.h"
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

// Both is what two need together.
TextNeeds Both(const TextNeeds& a, const TextNeeds& b);

// ObjectText is an object as the API server sent it, without its kind, as it stands in a list, and
// without metadata.managedFields, which is half of many objects and says nothing to a scheduler.
Result<std::string> ObjectText(std::string_view text);

// ObjectTexts are the objects of one kind, by UID. Informers write, the scheduling thread reads.
// Thread safe.
class ObjectTexts {
 public:
  using Text = std::shared_ptr<const std::string>;

  void Put(const std::string& uid, std::string text);
  void Remove(const std::string& uid);
  void Clear();
  // Find gives null for an object that is not known, or not any more.
  Text Find(const std::string& uid) const;
  size_t size() const;

 private:
  mutable std::mutex mutex_;  // guards texts_
  std::unordered_map<std::string, Text> texts_;
};

// KnownTexts are those that are kept of a cluster: what is needed of it, and nothing else. Thread
// safe.
class KnownTexts {
 public:
  // Need says of which objects texts are kept from now on. Those that were not needed before are
  // there once all objects have come again.
  void Need(TextNeeds needs);
  TextNeeds needs() const { return {nodes_needed_, waiting_needed_, placed_needed_}; }

  // What informers hear: an object that is there, and one that is gone.
  void Take(const api::Node& node, const std::string& text);
  void Take(const api::Pod& pod, const std::string& text);
  template <class T>
  void Drop(const std::string& uid) {
    if constexpr (std::same_as<T, api::Node>) {
      nodes.Remove(uid);
    } else {
      pods.Remove(uid);
    }
  }

  ObjectTexts nodes;
  ObjectTexts pods;

 private:
  std::atomic<bool> nodes_needed_ = false;
  std::atomic<bool> waiting_needed_ = false;
  std::atomic<bool> placed_needed_ = false;
};

}  // namespace berth::engine
