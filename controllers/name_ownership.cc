// SPDX-License-Identifier: Apache-2.0
#include "controllers/name_ownership.h"

#include <algorithm>
#include <optional>
#include <tuple>
#include <utility>

#include "api/conditions.h"
#include "controllers/leftovers.h"

namespace berth::controllers {
namespace {

using crds::SchedulerProfile;

bool IsOlder(const SchedulerProfile& a, const SchedulerProfile& b) {
  return std::tie(a.metadata.creation_timestamp, a.metadata.name) <
         std::tie(b.metadata.creation_timestamp, b.metadata.name);
}

// A profile with a taken name still serves its other names.
bool IsStalled(const SchedulerProfile& profile) {
  const api::Condition* stalled =
      api::FindCondition(profile.status.conditions, crds::kConditionStalled);
  return stalled && stalled->status == "True" && stalled->reason != kNameTaken &&
         stalled->observed_generation == profile.metadata.generation;
}

bool CanServe(const SchedulerProfile& profile) {
  return !profile.metadata.deletion_timestamp && !profile.spec.suspend && !IsStalled(profile);
}

// Reports whether the scheduler runs the configuration of this generation: it can take over a name
// by a reload.
bool IsReadyForNames(const SchedulerProfile& profile) {
  const auto& conditions = profile.status.conditions;
  return profile.status.observed_generation == profile.metadata.generation &&
         api::IsTrue(conditions, crds::kConditionAvailable) &&
         api::IsTrue(conditions, crds::kConditionConfigApplied);
}

// Reports whether the scheduler certainly serves the name. Of a profile that was not planned yet
// the status decides.
bool CertainlyServes(const SchedulerProfile& profile, const std::string& name,
                     const NameTable& table) {
  const auto found = table.find(profile.metadata.name);
  return Contains(found == table.end() ? profile.status.scheduler.names : found->second.in_use,
                  name);
}

// Ownership is the owner of a name with the rule that decided.
struct Ownership {
  const SchedulerProfile* owner = nullptr;
  const char* why = "";
};

// NameContest decides among the profiles that ask for one name.
class NameContest {
 public:
  NameContest(const std::string& name, const Profiles& all, const NameTable& table)
      : name_(name), table_(table) {
    for (const auto& profile : all) {
      if (HasName(*profile, name)) candidates_.push_back(profile.get());
    }
  }

  // Overrides the table for one profile.
  void SetServes(const SchedulerProfile& profile, bool serves) {
    std::erase_if(candidates_, [&profile](const SchedulerProfile* other) {
      return other->metadata.name == profile.metadata.name;
    });
    candidates_.push_back(&profile);
    override_ = {&profile, serves};
  }

  // Returns no owner if no profile can serve the name.
  Ownership Decide() const {
    for (const SchedulerProfile* profile : candidates_) {
      const bool is_own = profile->metadata.name == name_;
      if (is_own && (CanServe(*profile) || Serves(*profile)))
        return {profile, "has it for its own"};
    }
    if (const auto* owner = Oldest([this](const auto& profile) { return Serves(profile); })) {
      return {owner, "serves it"};
    }
    return {Oldest(CanServe), "is older"};
  }

 private:
  bool Serves(const SchedulerProfile& profile) const {
    return override_.first == &profile ? override_.second : CertainlyServes(profile, name_, table_);
  }

  template <class Predicate>
  const SchedulerProfile* Oldest(Predicate matches) const {
    const SchedulerProfile* oldest = nullptr;
    for (const SchedulerProfile* profile : candidates_) {
      if (matches(*profile) && (!oldest || IsOlder(*profile, *oldest))) oldest = profile;
    }
    return oldest;
  }

  const std::string& name_;
  const NameTable& table_;
  std::vector<const SchedulerProfile*> candidates_;
  std::pair<const SchedulerProfile*, bool> override_{};
};

// Returns why a profile that may serve a name does not give it up at once.
const char* WhyNotYet(const SchedulerProfile& server, const std::string& name,
                      const NameTable& table) {
  if (!table.contains(server.metadata.name)) return "was not reconciled yet";
  if (server.metadata.deletion_timestamp) return "is being deleted";
  if (!HasName(server, name)) return "has yet to report that it gave it up";
  if (IsStalled(server)) return "is stalled and keeps its last configuration";
  return "gives it up once the scheduler of this profile runs";
}

// Returns another profile than `self` whose scheduler may serve the name; it may be deleted.
std::optional<NameConflict> OtherServer(const SchedulerProfile& self, const std::string& name,
                                        const Profiles& all, const NameTable& table) {
  for (const auto& profile : all) {
    const std::string& other = profile->metadata.name;
    if (other == self.metadata.name || !Contains(MayServe(*profile, table), name)) continue;
    return NameConflict{.name = name, .owner = other, .why = WhyNotYet(*profile, name, table)};
  }
  // No existing profile serves it, so a profile found here is deleted.
  for (const auto& [other, names] : table) {
    if (other == self.metadata.name || !Contains(names.in_use, name)) continue;
    if (!names.is_orphaned) {
      return NameConflict{.name = name, .owner = other, .why = "was deleted and is not gone yet"};
    }
    return NameConflict{.name = name,
                        .owner = other,
                        .why = "was deleted without its scheduler: " + OrphanAdvice(other),
                        .is_lasting = true};
  }
  return std::nullopt;
}

// Reports whether the scheduler of another profile certainly serves the name.
bool IsServedElsewhere(const SchedulerProfile& self, const std::string& name, const Profiles& all,
                       const NameTable& table) {
  const std::string& own = self.metadata.name;
  return std::ranges::any_of(all,
                             [&](const auto& profile) {
                               return profile->metadata.name != own &&
                                      CertainlyServes(*profile, name, table);
                             }) ||
         std::ranges::any_of(table, [&](const auto& planned) {
           return planned.first != own && Contains(planned.second.in_use, name);
         });
}

}  // namespace

bool Contains(const std::vector<std::string>& names, const std::string& name) {
  return std::ranges::find(names, name) != names.end();
}

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

bool HasName(const SchedulerProfile& profile, const std::string& name) {
  return profile.metadata.name == name || Contains(profile.spec.aliases, name);
}

std::vector<std::string> MayServe(const SchedulerProfile& profile, const NameTable& table) {
  const auto found = table.find(profile.metadata.name);
  if (found != table.end()) return found->second.in_use;
  std::vector<std::string> names = profile.status.scheduler.names;
  AddNames(NamesOf(profile), names);
  return names;
}

NameDecision DecideNames(const SchedulerProfile& profile, const std::vector<std::string>& held,
                         const Profiles& all, const NameTable& table) {
  NameDecision decision;
  for (const std::string& name : NamesOf(profile)) {
    const bool serves = Contains(held, name);
    NameContest contest(name, all, table);
    contest.SetServes(profile, serves);
    const Ownership ownership = contest.Decide();
    const bool is_ours = !ownership.owner || ownership.owner == &profile;
    std::optional<NameConflict> other;
    if (is_ours && !serves) other = OtherServer(profile, name, all, table);
    if (other) {
      (other->is_lasting ? decision.taken : decision.awaited).push_back(std::move(*other));
    } else if (is_ours || (serves && !IsReadyForNames(*ownership.owner) &&
                           !IsServedElsewhere(profile, name, all, table))) {
      decision.served.push_back(name);
    } else {
      decision.taken.push_back(
          {.name = name, .owner = ownership.owner->metadata.name, .why = ownership.why});
    }
  }
  return decision;
}

const SchedulerProfile* OwnerOf(const std::string& name, const Profiles& all,
                                const NameTable& table) {
  return NameContest(name, all, table).Decide().owner;
}

bool ShareName(const SchedulerProfile& a, const SchedulerProfile& b) {
  return std::ranges::any_of(NamesOf(a),
                             [&b](const std::string& name) { return HasName(b, name); });
}

std::vector<std::string> ProfilesWithNames(const std::vector<std::string>& names,
                                           const Profiles& all) {
  std::vector<std::string> found;
  for (const auto& profile : all) {
    const bool matches = std::ranges::any_of(
        names, [&profile](const std::string& name) { return HasName(*profile, name); });
    if (matches) found.push_back(profile->metadata.name);
  }
  return found;
}

}  // namespace berth::controllers
