// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "controllers/plan.h"
#include "controllers/port.h"

namespace berth::controllers {

// WriteMemory bridges the moment between a write and the watch event that tells of it, so that a
// reconcile in between does not write again. Any event about an object ends what is remembered of
// it. Thread safe.
class WriteMemory {
 public:
  // EventsOf counts the events heard about an object: ask before a write, hand it to Remember.
  uint64_t EventsOf(const ObjectKey& key) const;

  // Remember keeps a write's outcome, unless an event came since `events` was asked.
  void Remember(const ObjectKey& key, AnyObject object, uint64_t events);

  // Heard is called for every event about an object.
  void Heard(const ObjectKey& key);

  // Overlay puts what is remembered over what the stores hold.
  void Overlay(const std::string& profile_uid, std::map<ObjectKey, AnyObject>& objects) const;

 private:
  mutable std::mutex mutex_;
  std::map<ObjectKey, AnyObject> written_;  // guarded by mutex_
  std::map<ObjectKey, uint64_t> events_;    // guarded by mutex_
};

// ApplyOutcome is what became of a plan.
struct ApplyOutcome {
  std::vector<Problem> problems;
  std::vector<PlannedEvent> events;  // what was repaired
  int writes = 0;                    // objects created, applied or deleted
};

// Converged remembers the version at which the server last confirmed an object, so that a
// difference which applying does not mend is not written again and again. For one thread at a time
// and profile.
class Converged {
 public:
  bool Holds(const RenderedObject& wanted, const AnyObject& live) const;
  void Set(const RenderedObject& wanted, const AnyObject& live);
  void Forget(const ObjectKey& key) { known_.erase(key); }

 private:
  struct Version {
    std::string uid;
    std::string resource_version;
    std::string wanted_hash;
  };
  std::map<ObjectKey, Version> known_;
};

// ApplyPlan brings the cluster to the plan, object by object in the plan's order; what is as it
// should be is not written. It goes on after a failure, but not past an object of somebody else:
// what follows would depend on it. Deletes come last, and only after everything was applied.
ApplyOutcome ApplyPlan(const Plan& plan, const Observed& observed, WritePort& port,
                       WriteMemory& memory, Converged& converged);

}  // namespace berth::controllers
