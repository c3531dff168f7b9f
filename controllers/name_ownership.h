// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "crds/scheduler_profile.h"

// Decides which SchedulerProfile owns a scheduler name. A profile asks for its own name and its
// aliases. The owner of a name is, in this order,
//
//   1. the profile with this metadata.name, if it can serve the name or serves it already,
//   2. the profile whose scheduler serves it, as long as the profile asks for it,
//   3. the oldest profile that asks for it and can serve it, by creation time, then by name.
//
// A profile cannot serve a name while it is suspended, terminating, or Stalled for another reason
// than a name; such a profile blocks no name. A profile that became invalid while its scheduler
// runs still serves its names.
//
// No two running schedulers serve the same name: a new owner waits until the old scheduler has
// reported a configuration without it, or has no pods. The name is not left unserved either: the
// old scheduler keeps it until the scheduler of the new owner is ready. A handover thus takes two
// configuration reloads, and no start of a pod.
namespace berth::controllers {

// Reason of the condition Stalled if another profile owns a name.
inline constexpr std::string_view kNameTaken = "NameTaken";

using Profiles = std::vector<std::shared_ptr<const crds::SchedulerProfile>>;

// Returns the scheduler names that a profile asks for: its own, then its aliases, without
// duplicates.
std::vector<std::string> NamesOf(const crds::SchedulerProfile& profile);

// Reports whether the profile asks for the name.
bool HasName(const crds::SchedulerProfile& profile, const std::string& name);

// Reports whether both profiles ask for the same name.
bool ShareName(const crds::SchedulerProfile& a, const crds::SchedulerProfile& b);

// Returns the names of the profiles that ask for one of these scheduler names.
std::vector<std::string> ProfilesWithNames(const std::vector<std::string>& names,
                                           const Profiles& all);

bool Contains(const std::vector<std::string>& names, const std::string& name);

// Appends the names that `names` does not contain yet.
void AddNames(const std::vector<std::string>& more, std::vector<std::string>& names);

// ServedNames is the part of a profile's state that concerns names.
struct ServedNames {
  // The names that the scheduler was given and has not reported to have dropped.
  std::vector<std::string> in_use;
  // Those of in_use that the last applied configuration does not have.
  std::vector<std::string> given_up;
  // The profile was deleted and its scheduler stays, see Leftover.
  bool is_orphaned = false;
};

// NameTable has the state by profile. A profile without an entry was not planned since the operator
// started.
using NameTable = std::map<std::string, ServedNames>;

// Returns the names that the profile's scheduler may serve: those in use. Of a profile that was not
// planned yet these are all names that it asks for or has in its status.
std::vector<std::string> MayServe(const crds::SchedulerProfile& profile, const NameTable& table);

// NameConflict is a name that another profile owns or still serves.
struct NameConflict {
  std::string name;
  std::string owner;        // the other profile
  std::string why;          // follows the owner in a message: "is older"
  bool is_lasting = false;  // until an administrator acts
};

struct NameDecision {
  std::vector<std::string> served;    // for the configuration, in the order of NamesOf
  std::vector<NameConflict> awaited;  // owned by this profile, still served by another one
  std::vector<NameConflict> taken;    // owned by another profile, or served by an orphan
};

// Decides which names a profile serves from now on. `held` are the names that its own scheduler
// serves and is not asked to give up. Pure. Requires: no other decision is made until the result is
// in the table (NameRegistry::Planning).
NameDecision DecideNames(const crds::SchedulerProfile& profile,
                         const std::vector<std::string>& held, const Profiles& all,
                         const NameTable& table);

// Returns the owner of the name among `all`; null if no profile can serve it.
const crds::SchedulerProfile* OwnerOf(const std::string& name, const Profiles& all,
                                      const NameTable& table);

}  // namespace berth::controllers
