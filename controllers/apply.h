// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "controllers/admission_drift.h"
#include "controllers/drift_corrections.h"
#include "controllers/object_record.h"
#include "controllers/plan.h"
#include "controllers/port.h"

namespace berth::controllers {

// WriteMemory remembers written objects until the watch delivers them, so that a reconcile in
// between does not write again. An object is forgotten when an event shows the written version or a
// later one, or its deletion. An event with an older version, sent before the write, is ignored.
// Thread safe.
class WriteMemory {
 public:
  // Returns the number of deletions observed for an object. Read it before a write and pass it to
  // Remember.
  uint64_t DeletionsOf(const ObjectKey& key) const;

  // Remembers a written object, unless an event has overtaken the write.
  void Remember(const ObjectKey& key, AnyObject object, uint64_t deletions);

  // Records an event about an object and the version it shows; an empty version is a deletion.
  void Observe(const ObjectKey& key, std::string_view version = {});

  // Written are the remembered objects of a profile.
  struct Written {
    AnyObject object;
    uint64_t deletions;  // observed until now
  };

  // Returns the remembered objects of a profile. Read them before the watch caches: an event
  // between the two reads ends the memory of a write that caches read earlier do not hold.
  std::vector<Written> WrittenFor(const std::string& profile_uid) const;

  // Replaces the objects in `observed` that are older than the written ones. Skips objects deleted
  // meanwhile.
  void Overlay(const std::vector<Written>& written, Observed& observed) const;

 private:
  uint64_t CountDeletions(const ObjectKey& key) const;  // requires mutex_

  mutable std::mutex mutex_;
  std::map<ObjectKey, AnyObject> written_;
  std::map<ObjectKey, uint64_t> versions_;   // the newest observed; guarded by mutex_
  std::map<ObjectKey, uint64_t> deletions_;  // guarded by mutex_
};

// ApplyOutcome is the result of applying a plan.
struct ApplyOutcome {
  std::vector<ReconcileError> failures;
  std::vector<PlannedEvent> events;  // drift corrections
  std::vector<AnyObject> written;    // created or applied, in the state that the server returned
  int writes = 0;                    // objects created, applied or deleted
  int contests = 0;                  // fields newly found to be contested
  bool profile_is_gone = false;      // deleted, or being deleted; nothing was written
};

// AppliedMemory is the state kept for a profile from one plan to the next. For one profile, and for
// one thread at a time. A restart loses it, which does little harm, except the uids: the profile's
// status has them, too.
struct AppliedMemory {
  AdmissionDrift admission_drift;
  DriftCorrections corrections;
  ObjectUids uids;  // of the profile's planned objects
};

// ApplyTerms are the inputs of ApplyPlan beside the cluster's state.
struct ApplyTerms {
  SteadyTime now;
  // Asks for a rollout turn before running pods are replaced; false: not yet.
  std::function<bool()> may_replace_pods;
  // Fields that other clients may add to objects; outlives the call. See crds::Allowances.
  std::span<const std::string> allowed_additions = {};
};

// Applies the plan object by object, in the plan's order. Objects without differences are not
// written. Fields that other clients added are removed; those that the API server's response to
// that write still has come from admission, and are kept. After a failure, only the objects that
// depend on the failed one (Part) are skipped. An object of another owner stops the apply. Deletes
// come last, and only after every object was applied.
//
// An object with a planned name is the profile's if its controller is the profile. Another client
// may remove the owner reference; an object without a controller is the profile's if
// AppliedMemory::uids has its uid, or if an earlier profile left it (OrphanedUids). Of a Lease, the
// annotation of the scheduler's report suffices.
ApplyOutcome ApplyPlan(const Plan& plan, const Observed& observed, WritePort& port,
                       WriteMemory& memory, AppliedMemory& applied, const ApplyTerms& terms);

}  // namespace berth::controllers
