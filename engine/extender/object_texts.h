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

// TextNeeds are the objects whose whole text must be stored, for extenders that receive whole
// objects.
struct TextNeeds {
  bool nodes = false;
  bool waiting_pods = false;
  bool placed_pods = false;  // possible victims

  bool any() const { return nodes || waiting_pods || placed_pods; }
  bool operator==(const TextNeeds&) const = default;
};

// Returns the union of the needs.
TextNeeds Both(const TextNeeds& a, const TextNeeds& b);

// Returns an object's text as in a list: without its kind and apiVersion. Also removes
// metadata.managedFields, which is half of many objects and does not matter for scheduling.
Result<std::string> ObjectText(std::string_view text);

// ObjectTexts stores the objects of one kind by UID. Informers write, the scheduling thread reads.
// Thread safe.
class ObjectTexts {
 public:
  using Text = std::shared_ptr<const std::string>;

  void Put(const std::string& uid, std::string text);
  void Remove(const std::string& uid);
  void Clear();
  // Returns the text; null if the object is unknown or deleted.
  Text Find(const std::string& uid) const;
  size_t size() const;

 private:
  mutable std::mutex mutex_;  // guards texts_
  std::unordered_map<std::string, Text> texts_;
};

// KnownTexts stores the needed texts of the cluster's objects. Thread safe.
class KnownTexts {
 public:
  // Sets the needs. Newly needed texts are complete after the next list of all objects.
  void Need(TextNeeds needs);
  TextNeeds needs() const { return {nodes_needed_, waiting_needed_, placed_needed_}; }

  // Called by informers for an existing and for a deleted object.
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
