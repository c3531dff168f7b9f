// SPDX-License-Identifier: Apache-2.0
#include "scheduler/waiting_pods.h"

#include <algorithm>

#include "base/check.h"
#include "base/time.h"

namespace berth::scheduler {

void WaitingPods::Add(std::shared_ptr<const PendingPod> pod, const Waits& waits, SteadyTime now,
                      Done done) {
  owner_.AssertHeld();
  BERTH_CHECK(!waits.empty(), "a waiting pod needs at least one plugin");
  const std::string& uid = pod->uid();
  const auto [row, added] = rows_.try_emplace(uid);
  BERTH_CHECK(added, "pod " + uid + " is already waiting");
  for (const auto& [plugin, timeout] : waits) {
    row->second.waits.push_back(deadlines_.emplace(now + timeout, Deadline{uid, plugin, timeout}));
  }
  row->second.done = std::move(done);
  row->second.pod = std::move(pod);
}

bool WaitingPods::Allow(const std::string& uid, std::string_view plugin) {
  owner_.AssertHeld();
  const auto found = rows_.find(uid);
  if (found == rows_.end()) return false;
  auto& waits = found->second.waits;
  const auto wait = std::ranges::find(
      waits, plugin, [](Deadlines::iterator deadline) { return deadline->second.plugin; });
  if (wait == waits.end()) return false;
  if (waits.size() == 1) return End(uid, Status::Success(), plugin);
  deadlines_.erase(*wait);
  waits.erase(wait);
  return true;
}

bool WaitingPods::Reject(const std::string& uid, std::string_view plugin, std::string message) {
  return End(uid, Status::Unschedulable(std::move(message)), plugin);
}

bool WaitingPods::Preempt(const std::string& uid, std::string_view plugin, std::string message) {
  return End(uid, Status::Failed(std::move(message)), plugin);
}

void WaitingPods::Expire(SteadyTime now) {
  owner_.AssertHeld();
  while (!deadlines_.empty() && deadlines_.begin()->first <= now) {
    const Deadline due = deadlines_.begin()->second;
    Reject(due.uid, due.plugin,
           "rejected due to timeout after waiting " + Duration(due.timeout).ToString() +
               " at plugin " + std::string(due.plugin));
  }
}

std::optional<SteadyTime> WaitingPods::NextDeadline() const {
  if (deadlines_.empty()) return std::nullopt;
  return deadlines_.begin()->first;
}

void WaitingPods::ForEach(const std::function<void(const PendingPod&)>& visit) const {
  for (const auto& [uid, row] : rows_) visit(*row.pod);
}

bool WaitingPods::End(const std::string& uid, Status status, std::string_view plugin) {
  owner_.AssertHeld();
  // Remove the row first: the callback may change the table.
  auto row = rows_.extract(uid);
  if (row.empty()) return false;
  for (const Deadlines::iterator deadline : row.mapped().waits) deadlines_.erase(deadline);
  status.plugin = plugin;
  row.mapped().done(std::move(status));
  return true;
}

}  // namespace berth::scheduler
