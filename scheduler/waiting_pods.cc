// SPDX-License-Identifier: Apache-2.0
#include "scheduler/waiting_pods.h"

#include <algorithm>

#include "base/check.h"
#include "base/time.h"

namespace berth::scheduler {

void WaitingPods::Add(std::shared_ptr<const PendingPod> pod, const Waits& waits, SteadyTime now,
                      Done done) {
  owner_.AssertHeld();
  Row row{.pod = std::move(pod), .done = std::move(done)};
  for (const auto& [plugin, timeout] : waits) row.waits.push_back({plugin, timeout, now + timeout});
  BERTH_CHECK(!row.waits.empty(), "a pod waits for at least one plugin");
  const std::string uid = row.pod->uid();
  const bool added = rows_.emplace(uid, std::move(row)).second;
  BERTH_CHECK(added, "pod " + uid + " waits already");
}

bool WaitingPods::Allow(const std::string& uid, std::string_view plugin) {
  owner_.AssertHeld();
  const auto found = rows_.find(uid);
  if (found == rows_.end()) return false;
  std::vector<Wait>& waits = found->second.waits;
  const size_t before = waits.size();
  std::erase_if(waits, [&](const Wait& wait) { return wait.plugin == plugin; });
  if (waits.empty()) return End(uid, Status::Success());
  return waits.size() < before;
}

bool WaitingPods::Reject(const std::string& uid, std::string_view plugin, std::string message) {
  Status status = Status::Unschedulable(std::move(message));
  status.plugin = plugin;
  return End(uid, std::move(status));
}

bool WaitingPods::Preempt(const std::string& uid, std::string_view plugin, std::string message) {
  Status status = Status::Failed(std::move(message));
  status.plugin = plugin;
  return End(uid, std::move(status));
}

void WaitingPods::Expire(SteadyTime now) {
  owner_.AssertHeld();
  // Ends are collected first: what follows on one may change the table.
  std::vector<std::pair<std::string, Wait>> late;
  for (const auto& [uid, row] : rows_) {
    const auto first =
        std::min_element(row.waits.begin(), row.waits.end(),
                         [](const Wait& a, const Wait& b) { return a.deadline < b.deadline; });
    if (first->deadline <= now) late.emplace_back(uid, *first);
  }
  for (const auto& [uid, wait] : late) {
    Reject(uid, wait.plugin,
           "rejected due to timeout after waiting " + Duration(wait.timeout).ToString() +
               " at plugin " + std::string(wait.plugin));
  }
}

std::optional<SteadyTime> WaitingPods::NextDeadline() const {
  std::optional<SteadyTime> next;
  for (const auto& [uid, row] : rows_) {
    for (const Wait& wait : row.waits) next = next ? std::min(*next, wait.deadline) : wait.deadline;
  }
  return next;
}

void WaitingPods::ForEach(const std::function<void(const PendingPod&)>& visit) const {
  for (const auto& [uid, row] : rows_) visit(*row.pod);
}

bool WaitingPods::End(const std::string& uid, Status status) {
  owner_.AssertHeld();
  auto row = rows_.extract(uid);
  if (row.empty()) return false;
  row.mapped().done(std::move(status));
  return true;
}

}  // namespace berth::scheduler
