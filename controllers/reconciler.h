// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/clock.h"
#include "controllers/apply.h"
#include "controllers/name_registry.h"
#include "controllers/plan.h"
#include "controllers/port.h"
#include "controllers/report.h"
#include "controllers/rollout_turns.h"

namespace berth::controllers {

// Outcome is the result of a reconcile, and when to run the next one without an event.
struct Outcome {
  enum class Kind {
    kDone,     // the cluster matches the plan
    kRetry,    // a transient error, or the snapshot was outdated: retry with backoff
    kStalled,  // an administrator has to act; retry at long intervals
  };
  Kind kind = Kind::kDone;
  std::optional<std::chrono::nanoseconds> requeue_after;
  std::optional<Error> error;  // the first, for logs and metrics
  int writes = 0;              // including the status
  int corrections = 0;         // objects with corrected drift
  int contests = 0;            // fields that another field manager contests
  // Other profiles to reconcile: a name that they ask for may be free now.
  std::vector<std::string> others;
};

// Reconciler reconciles one profile at a time: observe, plan, apply, report.
//
// Threads: several threads may call Reconcile, but not for the same name at the same time; the
// WorkQueue ensures it.
class Reconciler {
 public:
  // Requires: all outlive this.
  Reconciler(ObservePort& cluster, WritePort& port, WriteMemory& memory,
             const PluginCatalogue& catalogue, PlanOptions options, const Clock& clock);

  Outcome Reconcile(const std::string& name);

  // Returns the number of deleted profiles whose schedulers stay.
  size_t orphans() const;

  // Called when a profile was deleted, before Reconcile for its name.
  void RecordDeleted(std::shared_ptr<const crds::SchedulerProfile> profile);

 private:
  // Memory is the state of a profile between two reconciles. Losing it on a restart does no harm.
  struct Memory {
    AppliedMemory applied;
    std::string uid;
    int64_t generation = 0;  // the highest seen; a lower one comes from a stale API server
    int64_t asked_for = 0;   // the newest one that its status did not have when it was seen first
  };

  // Planned is a plan and its input.
  struct Planned {
    Observed observed;
    Plan plan;
    std::vector<std::string> freed;  // names that the profile's scheduler can no longer serve
  };

  std::shared_ptr<Memory> MemoryOf(const crds::SchedulerProfile& profile);
  std::optional<Planned> PlanNext(const crds::SchedulerProfile& profile, CalledServices services);
  ApplyOutcome Apply(const Plan& plan, const Observed& observed, Memory& kept);
  Outcome Report(const crds::SchedulerProfile& profile, const ProfileReport& report,
                 const ApplyOutcome& applied);

  // Returns the profiles that ask for one of these names.
  std::vector<std::string> ProfilesAwaiting(const std::vector<std::string>& freed);
  Outcome Finish(const std::string& name);
  bool ReportOrphan(const std::string& profile, const Leftover& orphan);
  // Removes the scheduler names whose pods have events now. Returns the error of the last name that
  // is left.
  Result<void> RecordDeletedEvents(const std::string& profile,
                                   std::vector<std::string>& scheduler_names);

  ObservePort& cluster_;
  WritePort& port_;
  WriteMemory& memory_;
  const PluginCatalogue& catalogue_;
  const PlanOptions options_;
  const Clock& clock_;
  RolloutTurns turns_;

  NameRegistry names_;

  mutable std::mutex mutex_;
  std::map<std::string, std::shared_ptr<Memory>> memories_;  // guarded by mutex_
  std::set<std::string> orphans_;  // deleted profiles with an event; guarded by mutex_
  // By deleted profile: the scheduler names whose pending pods have no event yet; guarded by mutex_.
  std::map<std::string, std::vector<std::string>> deleted_;
};

}  // namespace berth::controllers
