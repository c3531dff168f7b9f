// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mutex>
#include <string>
#include <vector>

#include "controllers/leftovers.h"
#include "controllers/name_ownership.h"

namespace berth::controllers {

struct Observed;
struct Plan;

// NameRegistry holds the scheduler names that each profile's scheduler may serve
// (name_ownership.h). A deleted profile keeps its names until its scheduler is gone. The registry
// is lost on a restart of the operator; status and ConfigMaps of the profiles, and the bindings of
// deleted ones (leftovers.h), then take its place. Thread safe.
class NameRegistry {
 public:
  // Planning is the turn of one profile. It excludes the planning of other profiles, because two
  // plans made at the same time could give one name to two profiles.
  class Planning {
   public:
    explicit Planning(NameRegistry& registry) : registry_(registry), lock_(registry.mutex_) {}

    const NameTable& table() const { return registry_.table_; }
    // Adds the schedulers that deleted profiles left, which may be unknown after a restart.
    void Add(const Leftovers& leftovers) { AddLeftovers(leftovers, registry_.table_); }
    // Stores the names after a plan. Returns the names that the scheduler can no longer serve.
    std::vector<std::string> Store(const crds::SchedulerProfile& profile, ServedNames names);

   private:
    NameRegistry& registry_;
    const std::lock_guard<std::mutex> lock_;
  };

  // Forgets a deleted profile whose scheduler is gone. Returns its names.
  std::vector<std::string> Release(const std::string& profile);

  // Reports whether one of the profiles owns the name.
  bool HasOwner(const std::string& name, const Profiles& all);

 private:
  std::mutex mutex_;
  NameTable table_;  // guarded by mutex_
};

// Returns the names that the profile's scheduler may serve now and the last plan did not give up. A
// profile does not take back a name that its scheduler is about to drop: the scheduler may already
// have reported a configuration without it, and a report does not tell two equal configurations
// apart.
std::vector<std::string> KeptNames(const crds::SchedulerProfile& profile, const Observed& observed);

// Returns the state of the profile's names once the plan is applied. Held names stay in use until
// the scheduler has reported the plan's configuration.
ServedNames NamesAfter(const Plan& plan, const Observed& observed);

}  // namespace berth::controllers
