// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "api/meta.h"
#include "sandbox/simulation/discovery.h"

namespace berth::simulation {

inline constexpr const char* kForegroundFinalizer = "foregroundDeletion";
inline constexpr const char* kOrphanFinalizer = "orphan";

// OwnedObject is an object in the garbage collector's graph.
struct OwnedObject {
  ServedResourcePtr resource;
  api::ObjectMeta metadata;  // labels and annotations are dropped

  bool Has(const char* finalizer) const;
  bool IsLeaving() const { return metadata.deletion_timestamp.has_value(); }
};

// CollectorStep is the garbage collector's next step for one object.
struct CollectorStep {
  enum class Kind {
    kNothing,
    kDelete,            // all its owners are gone
    kDropReferences,    // orphan its dependents: remove the object's uid from each
    kRemoveFinalizer,   // it has no dependents that block it
    kDeleteDependents,  // foreground deletion: the dependents are deleted first
  };
  Kind kind = Kind::kNothing;
  std::string propagation;          // of kDelete: Background, Foreground, Orphan
  std::string finalizer;            // of kRemoveFinalizer
  std::vector<std::string> others;  // uids of the dependents in question

  bool operator==(const CollectorStep&) const = default;
};

// Ownership is the graph of owners and dependents, by uid. For one thread, or under its holder's
// lock.
class Ownership {
 public:
  void Put(OwnedObject object);
  void Remove(const std::string& uid);

  const OwnedObject* Find(const std::string& uid) const;
  // Returns the uids of objects with the owner `uid`, whether it exists or not.
  std::vector<std::string> Dependents(const std::string& uid) const;
  // Returns the uids of objects with an owner that is missing in the graph.
  std::set<std::string> WithUnknownOwners() const;

  // Plans the next step for one object. Calls `is_gone` for owners that are missing in the graph,
  // because the graph may lag behind the API server. Source: upstream's garbagecollector.go.
  using IsGone =
      std::function<bool(const OwnedObject& dependent, const api::OwnerReference& owner)>;
  CollectorStep Decide(const std::string& uid, const IsGone& is_gone) const;

 private:
  CollectorStep DecideForeground(const OwnedObject& object) const;
  CollectorStep DecideOrphan(const OwnedObject& object) const;
  CollectorStep DecideDependent(const OwnedObject& object, const IsGone& is_gone) const;

  std::map<std::string, OwnedObject> objects_;
  std::map<std::string, std::set<std::string>> dependents_;  // owner's uid: uids
};

}  // namespace berth::simulation
