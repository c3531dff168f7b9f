// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <unordered_map>

#include "base/clock.h"
#include "scheduler/framework/gang_plugin.h"
#include "scheduler/model/gang.h"

namespace berth::scheduler {

// GangHistory is the state of this scheduler's attempts to place one gang.
struct GangHistory {
  GangAttempts attempts;
  bool is_waited_for = false;  // members were rejected because others are binding
  std::shared_ptr<const GangTurn> turn;
  // The notes of the last events on the PodGroup. An event is recorded only if its note is new.
  std::string failure_note;     // why the gang could not be placed; empty after a success
  std::string incomplete_note;  // why the gang is incomplete; empty once it is complete
};

// GangHistories holds the history of each gang with attempts, by the gang's key. An entry lives as
// long as its gang: Forget is the callback of GangTable for gangs that end. Owned by the scheduling
// thread.
class GangHistories {
 public:
  // Returns the history of a gang, an empty one if it has none.
  const GangHistory& Of(const Gang& gang) const;

  // Returns the gang's place in the queue, which starts now if it has none yet.
  std::shared_ptr<const GangTurn> TurnOf(const Gang& gang, SteadyTime now);

  // Records a failed attempt and moves the gang to a new place in the queue. Returns true if `note`
  // differs from that of the last failure.
  bool RecordFailure(const Gang& gang, SteadyTime now, std::string note);
  // Records an attempt that placed all needed members.
  void RecordSuccess(const Gang& gang);
  // Records the note about an incomplete gang. Returns true if it differs from the last one since
  // RecordComplete.
  bool RecordIncomplete(const Gang& gang, std::string note);
  void RecordComplete(const Gang& gang);

  // Records that members started binding.
  void StartBinding(const Gang& gang);
  // Records that other members wait for the end of the bindings.
  void WaitForBinding(const Gang& gang);
  // Records the end of the bindings. Returns true if other members wait for it.
  bool EndBinding(const std::string& key);

  void Forget(const std::string& key) { histories_.erase(key); }

 private:
  GangHistory& Edit(const Gang& gang) { return histories_[gang.Key()]; }

  std::unordered_map<std::string, GangHistory> histories_;
};

}  // namespace berth::scheduler
