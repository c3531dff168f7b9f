// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "crds/scheduler_profile.h"

// Whose a scheduler name is. A profile claims its own name and its aliases; a name belongs, in this
// order, to
//
//   1. the profile whose own name it is, if it can serve it or does,
//   2. the one whose scheduler serves it now, as long as that one claims it,
//   3. the oldest of those that can serve it: created first, or in one second the first by name.
//
// A profile cannot serve while it is suspended, is being deleted, or is Stalled for another reason
// than a name; such a one blocks no name. One that became invalid while its scheduler runs serves on.
//
// Never do two schedulers that place pods have one name: whoever gets it waits until the other has
// reported a configuration without it, or has no pods. Nor does it lie idle while somebody can serve
// it: the other gives it up only once the new holder's scheduler runs, ready but for the name. So
// between the two lies the time in which each takes a new configuration over, and no start of a pod.
namespace berth::controllers {

// Reason of the condition Stalled of a profile that a name was refused.
inline constexpr std::string_view kNameTaken = "NameTaken";

using Profiles = std::vector<std::shared_ptr<const crds::SchedulerProfile>>;

// NamesOf gives the scheduler names a profile claims: its own, then its aliases, each once.
std::vector<std::string> NamesOf(const crds::SchedulerProfile& profile);

// AddNames adds those that are not among `names` yet.
void AddNames(const std::vector<std::string>& more, std::vector<std::string>& names);

// NamesInUse are the names that a profile's scheduler was given and has not reported to have given
// up, by profile. A profile that is not in it has not been planned since the operator began.
using NamesInUse = std::map<std::string, std::vector<std::string>>;

bool Claims(const crds::SchedulerProfile& profile, const std::string& name);

// MayServe gives the names that the profile's scheduler may serve: those in use; of a profile that
// was not planned yet all it claims, and all it had when its status was written.
std::vector<std::string> MayServe(const crds::SchedulerProfile& profile, const NamesInUse& in_use);

// ClaimedName is a name that another profile has.
struct ClaimedName {
  std::string name;
  std::string holder;  // the other profile
  std::string why;     // to be said of the holder: "is older"
};

struct NameDecision {
  std::vector<std::string> served;   // to be in the configuration, in the order of NamesOf
  std::vector<ClaimedName> awaited;  // belong to the profile; another's scheduler still has them
  std::vector<ClaimedName> taken;    // belong to another
};

// DecideNames says which names a profile serves from now on. `held` are those that its own scheduler
// serves and was not told to give up. Pure; no two decisions may be made at once, and each must know
// the one before.
NameDecision DecideNames(const crds::SchedulerProfile& profile,
                         const std::vector<std::string>& held, const Profiles& all,
                         const NamesInUse& in_use);

// HolderOf gives the profile among `all` that serves the name or is going to; nullptr: nobody.
const crds::SchedulerProfile* HolderOf(const std::string& name, const Profiles& all,
                                       const NamesInUse& in_use);

// ShareName says that both claim some name.
bool ShareName(const crds::SchedulerProfile& a, const crds::SchedulerProfile& b);

}  // namespace berth::controllers
