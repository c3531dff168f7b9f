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

// OwnedObject is what garbage collection knows of an object.
struct OwnedObject {
  ServedResourcePtr resource;
  api::ObjectMeta metadata;  // labels and annotations are dropped

  bool Has(const char* finalizer) const;
  bool IsLeaving() const { return metadata.deletion_timestamp.has_value(); }
};

// CollectorStep is what garbage collection does about one object.
struct CollectorStep {
  enum class Kind {
    kNothing,
    kDelete,            // all its owners are gone
    kDropReferences,    // its dependents shall stay: take our uid out of each
    kRemoveFinalizer,   // nothing holds it back any more
    kDeleteDependents,  // foreground: the dependents go first
  };
  Kind kind = Kind::kNothing;
  std::string propagation;          // of kDelete: Background, Foreground, Orphan
  std::string finalizer;            // of kRemoveFinalizer
  std::vector<std::string> others;  // uids of the dependents concerned

  bool operator==(const CollectorStep&) const = default;
};

// Ownership is the graph of who owns whom, by uid. For one thread, or under its holder's lock.
class Ownership {
 public:
  void Put(OwnedObject object);
  void Remove(const std::string& uid);

  const OwnedObject* Find(const std::string& uid) const;
  // Dependents gives the uids of objects that name `uid` as an owner, whether it exists or not.
  std::vector<std::string> Dependents(const std::string& uid) const;
  // WithUnknownOwners gives the uids of objects that name an owner which the graph does not hold.
  std::set<std::string> WithUnknownOwners() const;

  // Decide plans for one object. `is_gone` is asked about owners that the graph does not hold, for
  // the graph may lag behind the API server. Source: upstream's garbagecollector.go.
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
