// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "controllers/admission_drift.h"
#include "controllers/drift_corrections.h"
#include "controllers/plan.h"
#include "controllers/port.h"

namespace berth::controllers {

// WriteMemory bridges the moment between a write and the watch event that tells of it, so that a
// reconcile in between does not write again. What is remembered of an object ends with the event that
// shows the version written or a later one, or that it is gone; an older one, which was on its way
// when we wrote, ends nothing. Thread safe.
class WriteMemory {
 public:
  // DeletionsOf counts how often an object was heard to be gone: ask before a write, hand it to
  // Remember.
  uint64_t DeletionsOf(const ObjectKey& key) const;

  // Remember keeps a write's outcome, unless an event overtook it.
  void Remember(const ObjectKey& key, AnyObject object, uint64_t deletions);

  // Heard is called for every event about an object, with the version it shows; without one it is
  // gone.
  void Observe(const ObjectKey& key, std::string_view version = {});

  // Overlay puts what is remembered over what the stores hold.
  void Overlay(const std::string& profile_uid, Observed& observed) const;

 private:
  mutable std::mutex mutex_;
  std::map<ObjectKey, AnyObject> written_;   // guarded by mutex_
  std::map<ObjectKey, uint64_t> versions_;   // the newest heard of; guarded by mutex_
  std::map<ObjectKey, uint64_t> deletions_;  // guarded by mutex_
};

// ApplyOutcome is what became of a plan.
struct ApplyOutcome {
  std::vector<ReconcileError> failures;
  std::vector<PlannedEvent> events;  // what was repaired
  std::vector<AnyObject> written;    // created or applied, as the server holds it now
  int writes = 0;                    // objects created, applied or deleted
  int contests = 0;                  // fields that others were found to contest
};

// AppliedMemory is what is kept of a profile's objects from one plan to the next. For one thread at
// a time and profile; lost on restart without harm.
struct AppliedMemory {
  AdmissionDrift admission_drift;
  DriftCorrections corrections;
};

// ApplyTerms is what applying needs to know beside the cluster.
struct ApplyTerms {
  SteadyTime now;
  // Asked before running pods are replaced; false: not yet.
  std::function<bool()> may_replace_pods;
};

// ApplyPlan brings the cluster to the plan, object by object in the plan's order; what is as it
// should be is not written. It goes on after a failure, with what does not depend on what failed
// (Part), but not past an object of somebody else. Deletes come last, and only after everything was
// applied.
ApplyOutcome ApplyPlan(const Plan& plan, const Observed& observed, WritePort& port,
                       WriteMemory& memory, AppliedMemory& applied, const ApplyTerms& terms);

}  // namespace berth::controllers
