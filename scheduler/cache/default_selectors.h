// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "api/labels.h"
#include "base/rare.h"
#include "scheduler/model/label_set.h"
#include "scheduler/model/object_types.h"
#include "scheduler/model/pod_info.h"
#include "scheduler/model/vocabulary.h"

namespace berth::scheduler {

// DefaultSelectors derives the selector of a pod's group from the Services that select the pod and
// from its controller. Only names and selectors of these objects are kept. A kind without a watch
// has no objects. Owned by the cache. Source: kube-scheduler
// pkg/scheduler/framework/plugins/helper/spread.go, DefaultSelector.
//
// A Service is indexed by one label of its selector, the one with the fewest Services so far. So a
// pod is matched only against Services that share a rare label with it. A label that all Services
// of a namespace have would not narrow the search.
class DefaultSelectors {
 public:
  explicit DefaultSelectors(Vocabulary& words) : words_(words) {}
  DefaultSelectors(const DefaultSelectors&) = delete;
  DefaultSelectors& operator=(const DefaultSelectors&) = delete;

  // Store the newest state of an object.
  void Put(const api::Service& service);
  void Put(const api::ReplicationController& controller);
  void Put(const api::ReplicaSet& set);
  void Put(const api::StatefulSet& set);
  // Remove deletes one object, Clear all of a kind. Requires: one of these kinds.
  void Remove(ObjectKind kind, const std::string& uid);
  void Clear(ObjectKind kind);

  // Returns the union of the selectors of the pod's Services and of its controller. Empty if
  // nothing selects the pod.
  api::Selector Of(const PendingPod& pod) const;
  // Returns the selector of the pod's first Service by name; nullopt if no Service selects the pod.
  std::optional<api::Selector> OfFirstService(const PodInfo& pod) const;

 private:
  struct Service {
    Word namespace_name;
    std::string name;
    LabelSet selector;
    LabelSet::Label filed_under;
  };

  // Owners is the set of controllers of one kind.
  class Owners {
   public:
    struct Owner {
      Word namespace_name;
      std::string name;
      LabelSet labels;
      Rare<std::vector<api::Requirement>> expressions;
    };

    void Put(const std::string& uid, Owner owner);
    void Remove(const std::string& uid);
    void Clear();
    const Owner* Find(Symbol namespace_name, std::string_view name) const;

   private:
    using Name = std::pair<Symbol, std::string_view>;

    std::unordered_map<std::string, Owner> by_uid_;
    // The newest object of each name; the key points into it. If two have the same name, the
    // deletion of the other is still to be delivered.
    std::map<Name, const Owner*> by_name_;
  };

  // Place is the index key of a Service: a namespace and a label in it.
  struct Place {
    Symbol namespace_name;
    LabelSet::Label label;
    bool operator==(const Place&) const = default;
  };
  struct PlaceHash {
    size_t operator()(const Place& place) const;
  };

  Owners& OwnersOf(ObjectKind kind) { return owners_[static_cast<size_t>(kind)]; }
  const Owners& OwnersOf(ObjectKind kind) const { return owners_[static_cast<size_t>(kind)]; }
  void PutOwner(ObjectKind kind, const api::ObjectMeta& metadata,
                const std::optional<api::LabelSelector>& selector);
  void RemoveService(const std::string& uid);
  Place PlaceFor(const Service& service) const;
  // Adds labels to a map as text.
  void Merge(const LabelSet& labels, api::StringMap& wanted) const;
  // Calls `visit` for each Service that selects the pod.
  template <class Visit>
  void ForEachServiceOf(const PodInfo& pod, const Visit& visit) const;

  Vocabulary& words_;
  std::unordered_map<std::string, Service> services_;                              // by UID
  std::unordered_map<Place, std::vector<const Service*>, PlaceHash> services_at_;  // no empty lists
  std::array<Owners, kObjectKindCount> owners_;  // by kind; empty for other kinds
};

}  // namespace berth::scheduler
