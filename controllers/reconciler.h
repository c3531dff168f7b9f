// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "controllers/apply.h"
#include "controllers/plan.h"
#include "controllers/port.h"
#include "controllers/report.h"
#include "controllers/rollout_turns.h"

namespace berth::controllers {

// Outcome is what a reconcile came to, and when to do the next without being told.
struct Outcome {
  enum class Kind {
    kDone,     // all is as planned
    kRetry,    // something failed that may pass, or our picture was old: try again with backoff
    kStalled,  // an admin has to act; look again now and then
  };
  Kind kind = Kind::kDone;
  std::optional<std::chrono::nanoseconds> requeue_after;
  std::optional<Error> error;  // the first, for logs and metrics
  int writes = 0;              // status included
  int corrections = 0;         // objects that were set back
  int contests = 0;            // fields that others were found to contest
  // Profiles to look at as well: a name that they claim may have become free.
  std::vector<std::string> others;
};

// Reconciler brings one profile at a time to its plan: observe, plan, apply, report.
//
// Threads: Reconcile from several threads, but never two for one name (WorkQueue sees to it).
class Reconciler {
 public:
  // Requires: all outlive this.
  Reconciler(ObservePort& cluster, WritePort& port, WriteMemory& memory,
             const PluginCatalogue& catalogue, PlanOptions options, const Clock& clock);

  Outcome Reconcile(const std::string& name);

  // RecordDeleted is called when a profile is gone, before Reconcile for its name.
  void RecordDeleted(std::shared_ptr<const crds::SchedulerProfile> profile);

 private:
  // What is kept of a profile between two reconciles; lost on restart without harm.
  struct Memory {
    AppliedMemory applied;
    std::string uid;
    int64_t generation = 0;  // the highest seen: an older one comes from a stale server
    int64_t asked_for = 0;   // the newest that came after the one whose status we found
  };

  // Planned is a plan and what it was made from.
  struct Planned {
    Observed observed;
    Plan plan;
    std::vector<std::string> freed;  // names that the profile's scheduler cannot serve any more
  };

  std::shared_ptr<Memory> MemoryOf(const crds::SchedulerProfile& profile);
  std::optional<Planned> PlanNext(const crds::SchedulerProfile& profile);
  ApplyOutcome Apply(const Plan& plan, const Observed& observed, Memory& kept);
  Outcome Report(const crds::SchedulerProfile& profile, const ProfileReport& report,
                 const ApplyOutcome& applied);
  std::vector<std::string> ClaimantsOf(const std::vector<std::string>& names);

  Outcome Finish(const std::string& name);
  std::vector<std::string> FreeNamesOf(const std::string& deleted);
  bool IsServed(const std::string& scheduler);
  Result<void> RecordDeletedEvents(const crds::SchedulerProfile& profile);

  ObservePort& cluster_;
  WritePort& port_;
  WriteMemory& memory_;
  const PluginCatalogue& catalogue_;
  const PlanOptions options_;
  const Clock& clock_;
  RolloutTurns turns_;

  std::mutex plan_mutex_;    // one plan at a time: each knows the names that the others gave
  NamesInUse names_in_use_;  // guarded by plan_mutex_; a deleted profile's until it cannot use them
  std::map<std::string, std::vector<std::string>> names_given_up_;  // guarded by plan_mutex_

  std::mutex mutex_;
  std::map<std::string, std::shared_ptr<Memory>> memories_;  // guarded by mutex_
  // Profiles that are gone and whose pods have not been told; guarded by mutex_.
  std::map<std::string, std::shared_ptr<const crds::SchedulerProfile>> deleted_;
};

}  // namespace berth::controllers
