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

// DefaultSelectors deduces which pods belong together from the Services that select a pod and from
// the object that controls it. Only their names and selectors are kept. A kind that nobody feeds is as if
// there were no such objects. Owned by the cache. Source: kube-scheduler
// pkg/scheduler/framework/plugins/helper/spread.go, DefaultSelector.
//
// A Service is filed under one label of its selector, the one under which the fewest are filed
// already, so that a pod is held against those that share a label with it and not against all of
// its namespace: labels that all Services of a namespace have in common tell nothing.
class DefaultSelectors {
 public:
  explicit DefaultSelectors(Vocabulary& words) : words_(words) {}
  DefaultSelectors(const DefaultSelectors&) = delete;
  DefaultSelectors& operator=(const DefaultSelectors&) = delete;

  // Put takes the newest state of an object.
  void Put(const api::Service& service);
  void Put(const api::ReplicationController& controller);
  void Put(const api::ReplicaSet& set);
  void Put(const api::StatefulSet& set);
  // Remove and Clear forget one object and all of a kind. Requires: one of these kinds.
  void Remove(ObjectKind kind, const std::string& uid);
  void Clear(ObjectKind kind);

  // Of is the union of the selectors of the Services that select the pod and of the object that
  // controls it. It is empty where nothing selects the pod.
  api::Selector Of(const PendingPod& pod) const;
  // OfFirstService is the selector of one of these Services, the first by name; absent: none selects
  // the pod.
  std::optional<api::Selector> OfFirstService(const PodInfo& pod) const;

 private:
  struct Service {
    Word namespace_name;
    std::string name;
    LabelSet selector;
    LabelSet::Label filed_under;
  };

  // Owners is what controls pods, of one kind.
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
    // The newest of each name, whose text it holds: of two, one is about to be told as gone.
    std::map<Name, const Owner*> by_name_;
  };

  // What Services are filed under: a namespace and a label in it.
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
  // Merge adds labels to a map as text.
  void Merge(const LabelSet& labels, api::StringMap& wanted) const;
  // ForEachServiceOf visits those that select the pod.
  template <class Visit>
  void ForEachServiceOf(const PodInfo& pod, const Visit& visit) const;

  Vocabulary& words_;
  std::unordered_map<std::string, Service> services_;                              // by UID
  std::unordered_map<Place, std::vector<const Service*>, PlaceHash> services_at_;  // none is empty
  std::array<Owners, kObjectKindCount> owners_;  // by kind; of those that are none it stays empty
};

}  // namespace berth::scheduler
