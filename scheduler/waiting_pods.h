// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/thread_owner.h"
#include "scheduler/framework/queued_pod.h"
#include "scheduler/framework/status.h"

namespace berth::scheduler {

// WaitingPods holds the pods that a Permit plugin told to wait: a row each, never a blocked thread.
// A row ends when every plugin it waits for allowed it, when one rejects it, or when the earliest
// deadline passes; the first of these wins. Source: kube-scheduler
// pkg/scheduler/framework/runtime/waiting_pods_map.go. Owned by the scheduling thread.
class WaitingPods {
 public:
  using Waits = std::vector<std::pair<std::string_view, std::chrono::milliseconds>>;
  // Done takes the verdict once: Success, a rejection, or an error, with the plugin that gave it.
  using Done = std::function<void(Status)>;

  // Add lets a pod wait. Requires: it does not wait yet, and `waits` is not empty.
  void Add(std::shared_ptr<const PendingPod> pod, const Waits& waits, SteadyTime now, Done done);

  // Allow is one plugin's yes; the last one ends the wait. Each says whether there was something to
  // say it about; the row's `done` is called before it returns.
  bool Allow(const std::string& uid, std::string_view plugin);
  bool Reject(const std::string& uid, std::string_view plugin, std::string message);
  // Preempt ends the wait with an error: the pod did not fail to fit, its room was taken, so no event
  // is to be waited for.
  bool Preempt(const std::string& uid, std::string_view plugin, std::string message);

  // Expire rejects what has waited too long.
  void Expire(SteadyTime now);
  std::optional<SteadyTime> NextDeadline() const;

  bool Has(const std::string& uid) const { return rows_.contains(uid); }
  // ForEach visits the pods in the order of their UIDs; the visitor must not end a wait.
  void ForEach(const std::function<void(const PendingPod&)>& visit) const;
  size_t size() const { return rows_.size(); }

 private:
  struct Wait {
    std::string_view plugin;
    std::chrono::milliseconds timeout;
    SteadyTime deadline;
  };
  struct Row {
    std::shared_ptr<const PendingPod> pod;
    std::vector<Wait> waits;
    Done done;
  };
  bool End(const std::string& uid, Status status);

  ThreadOwner owner_;
  std::map<std::string, Row> rows_;  // by UID
};

}  // namespace berth::scheduler
