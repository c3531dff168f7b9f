// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "base/clock.h"
#include "base/error.h"
#include "scheduler/cache/cache.h"
#include "scheduler/framework/ports.h"
#include "scheduler/framework/profile.h"
#include "scheduler/gangs/gang_history.h"
#include "scheduler/gangs/member_ends.h"

namespace berth::scheduler {

// Returns the reference to the gang's PodGroup. Requires: gang.terms() is not null.
api::ObjectReference PodGroupReference(const Gang& gang);

// Records an event on the gang's PodGroup, if it exists.
void RecordGangEvent(ApiPort& api, const Gang& gang, std::string_view reason,
                     const std::string& note);

// GangWatch acts on gangs that stay incomplete: some members are placed, while needed members are
// not. The causes are a binding that the API server rejected, a member that the kubelet rejected, a
// lost node. The missing members are scheduled like other pods. After each timeout of an incomplete
// gang, GangWatch records an event on the PodGroup if its note is new. Depending on
// GangPolicy::incomplete it keeps the placed members or evicts them, so that their controller
// creates them again and other pods get the room. Events report evictions that the API server
// accepted. If it rejects some, for example because of a PodDisruptionBudget, the next release is
// tried after twice the time. Owned by the scheduling thread.
class GangWatch {
 public:
  // All of these outlive the GangWatch.
  struct Parts {
    const Clock& clock;
    ApiPort& api;
    Cache& cache;
    GangHistories& histories;
    MemberEnds& ends;
  };
  explicit GangWatch(const Parts& parts) : parts_(parts) {}

  // Processes the gangs that changed, then those with an expired deadline. Other incomplete gangs
  // cost nothing. Gangs of profiles without a GangPlugin are skipped.
  void Look(const ProfileMap& profiles);
  // Applies the policies of new profiles to all incomplete gangs.
  void OnProfiles(const ProfileMap& profiles);
  // Returns the next time at which a gang is due; nullopt if no gang is incomplete.
  std::optional<SteadyTime> NextLook() const;

 private:
  // Release is the eviction of the members of one gang, until all are answered.
  struct Release {
    std::string gang;  // key
    std::string why;
    std::string cause;  // ends the notes of events; "" if no attempt has failed
    size_t awaited = 0;
    size_t evicted = 0;
    std::string rejection = {};  // of the first pod that was not evicted
  };
  struct Row {
    SteadyTime since;  // the time when it became incomplete, or of the last action
    SteadyTime::duration patience{};
    SteadyTime due{};
    std::shared_ptr<Release> release = nullptr;  // in progress
    int rejected_releases = 0;                   // in a row
  };

  // Adds or removes the gang's row, or updates its deadline.
  void Follow(const std::string& key, const ProfileMap& profiles);
  void SetDue(const std::string& key, Row& row);
  void Act(const Gang& gang, const GangPolicy& policy, Row& row);
  void Report(const Gang& gang, std::string_view reason, const std::string& note);
  void StartRelease(const Gang& gang, const std::string& why, const std::string& cause, Row& row);
  void OnAnswer(const std::shared_ptr<Release>& release, const PodRef& pod,
                const Result<void>& result);
  void EndRelease(const std::shared_ptr<Release>& release);

  const Parts parts_;
  std::map<std::string, Row> rows_;                         // of incomplete gangs, by key
  std::set<std::pair<SteadyTime, std::string>> deadlines_;  // of all rows
};

}  // namespace berth::scheduler
