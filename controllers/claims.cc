// SPDX-License-Identifier: Apache-2.0
#include "controllers/claims.h"

#include <algorithm>
#include <optional>
#include <tuple>
#include <utility>

#include "api/conditions.h"

namespace berth::controllers {
namespace {

using crds::SchedulerProfile;

bool Contains(const std::vector<std::string>& names, const std::string& name) {
  return std::ranges::find(names, name) != names.end();
}

bool IsOlder(const SchedulerProfile& a, const SchedulerProfile& b) {
  return std::tie(a.metadata.creation_timestamp, a.metadata.name) <
         std::tie(b.metadata.creation_timestamp, b.metadata.name);
}

// A name that is taken stops a profile in that one name alone.
bool IsStalled(const SchedulerProfile& profile) {
  const api::Condition* stalled =
      api::FindCondition(profile.status.conditions, crds::kConditionStalled);
  return stalled && stalled->status == "True" && stalled->reason != kNameTaken &&
         stalled->observed_generation == profile.metadata.generation;
}

bool CanServe(const SchedulerProfile& profile) {
  return !profile.metadata.deletion_timestamp && !profile.spec.suspend && !IsStalled(profile);
}

// Its scheduler runs the configuration of this generation, so that a name more is a matter of a
// reload.
bool IsWarm(const SchedulerProfile& profile) {
  const auto& conditions = profile.status.conditions;
  return profile.status.observed_generation == profile.metadata.generation &&
         api::IsTrue(conditions, crds::kConditionAvailable) &&
         api::IsTrue(conditions, crds::kConditionConfigApplied);
}

// What is certain: of a profile that was not looked at yet, what its status says.
bool SurelyServes(const SchedulerProfile& profile, const std::string& name,
                  const NamesInUse& in_use) {
  const auto found = in_use.find(profile.metadata.name);
  return Contains(found == in_use.end() ? profile.status.scheduler.names : found->second, name);
}

// Right is whose a name is, and by which of the rules.
struct Right {
  const SchedulerProfile* holder = nullptr;
  const char* why = "";
};

// Contest looks at one name through the eyes of the profiles that claim it.
class Contest {
 public:
  Contest(const std::string& name, const Profiles& all, const NamesInUse& in_use)
      : name_(name), in_use_(in_use) {
    for (const auto& profile : all) {
      if (Claims(*profile, name)) claimants_.push_back(profile.get());
    }
  }

  // Of one profile it is known better what its scheduler serves.
  void Know(const SchedulerProfile& profile, bool serves) {
    std::erase_if(claimants_, [&profile](const SchedulerProfile* other) {
      return other->metadata.name == profile.metadata.name;
    });
    claimants_.push_back(&profile);
    known_ = {&profile, serves};
  }

  // Nobody is the holder when nobody can serve the name.
  Right Decide() const {
    for (const SchedulerProfile* profile : claimants_) {
      const bool is_own = profile->metadata.name == name_;
      if (is_own && (CanServe(*profile) || Serves(*profile)))
        return {profile, "has it for its own"};
    }
    if (const auto* holder = Oldest([this](const auto& profile) { return Serves(profile); })) {
      return {holder, "serves it"};
    }
    return {Oldest(CanServe), "is older"};
  }

 private:
  bool Serves(const SchedulerProfile& profile) const {
    return known_.first == &profile ? known_.second : SurelyServes(profile, name_, in_use_);
  }

  template <class Predicate>
  const SchedulerProfile* Oldest(Predicate matches) const {
    const SchedulerProfile* oldest = nullptr;
    for (const SchedulerProfile* profile : claimants_) {
      if (matches(*profile) && (!oldest || IsOlder(*profile, *oldest))) oldest = profile;
    }
    return oldest;
  }

  const std::string& name_;
  const NamesInUse& in_use_;
  std::vector<const SchedulerProfile*> claimants_;
  std::pair<const SchedulerProfile*, bool> known_{};
};

// What keeps a profile that may serve a name from giving it up at once.
const char* WhyNotYet(const SchedulerProfile& server, const std::string& name,
                      const NamesInUse& in_use) {
  if (!in_use.contains(server.metadata.name)) return "the operator has not looked at yet";
  if (!Claims(server, name)) return "has yet to report that it gave it up";
  if (IsStalled(server)) return "is stalled and keeps its last configuration";
  return "gives it up once the scheduler of this profile runs";
}

// Another profile than `self` whose scheduler may serve the name, be it deleted.
std::optional<ClaimedName> OtherServer(const SchedulerProfile& self, const std::string& name,
                                       const Profiles& all, const NamesInUse& in_use) {
  for (const auto& profile : all) {
    const std::string& other = profile->metadata.name;
    if (other == self.metadata.name || !Contains(MayServe(*profile, in_use), name)) continue;
    return ClaimedName{.name = name, .holder = other, .why = WhyNotYet(*profile, name, in_use)};
  }
  // None of these serves it, so who is found here is not among them.
  for (const auto& [other, names] : in_use) {
    if (other == self.metadata.name || !Contains(names, name)) continue;
    return ClaimedName{.name = name, .holder = other, .why = "was deleted and is not gone yet"};
  }
  return std::nullopt;
}

// Two schedulers have the name: it is certain that another than that of `self` serves it.
bool IsServedElsewhere(const SchedulerProfile& self, const std::string& name, const Profiles& all,
                       const NamesInUse& in_use) {
  const std::string& own = self.metadata.name;
  return std::ranges::any_of(all,
                             [&](const auto& profile) {
                               return profile->metadata.name != own &&
                                      SurelyServes(*profile, name, in_use);
                             }) ||
         std::ranges::any_of(in_use, [&](const auto& planned) {
           return planned.first != own && Contains(planned.second, name);
         });
}

}  // namespace

void AddNames(const std::vector<std::string>& more, std::vector<std::string>& names) {
  for (const std::string& name : more) {
    if (!Contains(names, name)) names.push_back(name);
  }
}

std::vector<std::string> NamesOf(const SchedulerProfile& profile) {
  std::vector<std::string> names = {profile.metadata.name};
  AddNames(profile.spec.aliases, names);
  return names;
}

bool Claims(const SchedulerProfile& profile, const std::string& name) {
  return profile.metadata.name == name || Contains(profile.spec.aliases, name);
}

std::vector<std::string> MayServe(const SchedulerProfile& profile, const NamesInUse& in_use) {
  const auto found = in_use.find(profile.metadata.name);
  if (found != in_use.end()) return found->second;
  std::vector<std::string> names = profile.status.scheduler.names;
  AddNames(NamesOf(profile), names);
  return names;
}

NameDecision DecideNames(const SchedulerProfile& profile, const std::vector<std::string>& held,
                         const Profiles& all, const NamesInUse& in_use) {
  NameDecision decision;
  for (const std::string& name : NamesOf(profile)) {
    const bool serves = Contains(held, name);
    Contest contest(name, all, in_use);
    contest.Know(profile, serves);
    const Right right = contest.Decide();
    const bool is_ours = !right.holder || right.holder == &profile;
    std::optional<ClaimedName> other;
    if (is_ours && !serves) other = OtherServer(profile, name, all, in_use);
    if (other) {
      decision.awaited.push_back(std::move(*other));
    } else if (is_ours || (serves && !IsWarm(*right.holder) &&
                           !IsServedElsewhere(profile, name, all, in_use))) {
      decision.served.push_back(name);
    } else {
      decision.taken.push_back(
          {.name = name, .holder = right.holder->metadata.name, .why = right.why});
    }
  }
  return decision;
}

const SchedulerProfile* HolderOf(const std::string& name, const Profiles& all,
                                 const NamesInUse& in_use) {
  return Contest(name, all, in_use).Decide().holder;
}

bool ShareName(const SchedulerProfile& a, const SchedulerProfile& b) {
  return std::ranges::any_of(NamesOf(a), [&b](const std::string& name) { return Claims(b, name); });
}

}  // namespace berth::controllers
