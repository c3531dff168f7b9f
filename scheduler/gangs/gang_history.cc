// SPDX-License-Identifier: Apache-2.0
#include "scheduler/gangs/gang_history.h"

#include <utility>

namespace berth::scheduler {

const GangHistory& GangHistories::Of(const Gang& gang) const {
  static const GangHistory kNone;
  const auto found = histories_.find(gang.Key());
  return found == histories_.end() ? kNone : found->second;
}

std::shared_ptr<const GangTurn> GangHistories::TurnOf(const Gang& gang, SteadyTime now) {
  auto& turn = Edit(gang).turn;
  if (turn == nullptr) turn = std::make_shared<const GangTurn>(GangTurn{gang.Key(), now});
  return turn;
}

bool GangHistories::RecordFailure(const Gang& gang, SteadyTime now, std::string note) {
  GangHistory& history = Edit(gang);
  history.attempts.failed = now;
  history.turn = std::make_shared<const GangTurn>(GangTurn{gang.Key(), now});
  return std::exchange(history.failure_note, note) != note;
}

void GangHistories::RecordSuccess(const Gang& gang) {
  GangHistory& history = Edit(gang);
  history.attempts.failed.reset();
  history.failure_note.clear();
}

bool GangHistories::RecordIncomplete(const Gang& gang, std::string note) {
  return std::exchange(Edit(gang).incomplete_note, note) != note;
}

void GangHistories::RecordComplete(const Gang& gang) {
  const auto found = histories_.find(gang.Key());
  if (found != histories_.end()) found->second.incomplete_note.clear();
}

void GangHistories::StartBinding(const Gang& gang) { Edit(gang).attempts.is_binding = true; }

void GangHistories::WaitForBinding(const Gang& gang) { Edit(gang).is_waited_for = true; }

bool GangHistories::EndBinding(const std::string& key) {
  const auto found = histories_.find(key);
  if (found == histories_.end()) return false;
  found->second.attempts.is_binding = false;
  return std::exchange(found->second.is_waited_for, false);
}

}  // namespace berth::scheduler
