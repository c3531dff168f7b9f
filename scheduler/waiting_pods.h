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
// A row ends when every plugin it waits for allowed it, when one rejects it, when it is preempted,
// or when the earliest deadline passes; the first of these wins, and for what comes after it there
// is no row any more. Time that passes costs what is due, however many wait. Source: kube-scheduler
// pkg/scheduler/framework/runtime/waiting_pods_map.go. Owned by the scheduling thread.
class WaitingPods {
 public:
  using Waits = std::vector<std::pair<std::string_view, std::chrono::milliseconds>>;
  // Done takes the verdict once: Success, a rejection, or an error, with the plugin that gave it.
  using Done = std::function<void(Status)>;

  // Add lets a pod wait. Requires: it does not wait yet, and `waits` is not empty.
  void Add(std::shared_ptr<const PendingPod> pod, const Waits& waits, SteadyTime now, Done done);

  // Allow is one plugin's yes; the last one ends the wait. Reject refuses the pod. Preempt takes its
  // room from it, which is an error and no refusal: it is tried again after a backoff, whatever
  // happens meanwhile. Each says whether there was something to say it about; the row's `done` is
  // called before it returns, and what that does changes cache and queue: not while a search runs.
  bool Allow(const std::string& uid, std::string_view plugin);
  bool Reject(const std::string& uid, std::string_view plugin, std::string message);
  bool Preempt(const std::string& uid, std::string_view plugin, std::string message);

  // Expire rejects what has waited too long.
  void Expire(SteadyTime now);
  std::optional<SteadyTime> NextDeadline() const;

  bool Has(const std::string& uid) const { return rows_.contains(uid); }
  // ForEach visits the pods in the order of their UIDs; the visitor must not end a wait.
  void ForEach(const std::function<void(const PendingPod&)>& visit) const;
  size_t size() const { return rows_.size(); }

 private:
  // Deadline is when a plugin's patience with a pod ends.
  struct Deadline {
    std::string uid;
    std::string_view plugin;
    std::chrono::milliseconds timeout;
  };
  using Deadlines = std::multimap<SteadyTime, Deadline>;
  struct Row {
    std::shared_ptr<const PendingPod> pod;
    std::vector<Deadlines::iterator> waits;
    Done done;
  };
  bool End(const std::string& uid, Status status, std::string_view plugin);

  ThreadOwner owner_;
  std::map<std::string, Row> rows_;  // by UID
  Deadlines deadlines_;  // of the plugins that have not allowed yet; equal ones as added
};

}  // namespace berth::scheduler
