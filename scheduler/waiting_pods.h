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

// WaitingPods holds the pods that wait for Permit plugins: a row each, no blocked thread. A row
// ends when all its plugins allowed the pod, when one rejects it, when it is preempted, or at its
// earliest deadline. The first of these wins; later calls find no row. Expire only costs the due
// rows. Source: kube-scheduler pkg/scheduler/framework/runtime/waiting_pods_map.go. Owned by the
// scheduling thread.
class WaitingPods {
 public:
  using Waits = std::vector<std::pair<std::string_view, std::chrono::milliseconds>>;
  // Called once with the verdict: Success, a rejection, or an error, with its plugin.
  using Done = std::function<void(Status)>;

  // Adds a waiting pod. Requires: it does not wait yet, and `waits` is not empty.
  void Add(std::shared_ptr<const PendingPod> pod, const Waits& waits, SteadyTime now, Done done);

  // Allow approves the pod for one plugin; the last approval ends the wait. Reject rejects the pod.
  // Preempt takes its node away, which is an error and not a rejection: the pod is retried after a
  // backoff, independent of events. Each returns false if there was no such wait. The row's `done`
  // is called before they return and changes cache and queue, so they must not be called during a
  // search.
  bool Allow(const std::string& uid, std::string_view plugin);
  bool Reject(const std::string& uid, std::string_view plugin, std::string message);
  bool Preempt(const std::string& uid, std::string_view plugin, std::string message);

  // Rejects the pods with expired deadlines.
  void Expire(SteadyTime now);
  std::optional<SteadyTime> NextDeadline() const;

  bool Has(const std::string& uid) const { return rows_.contains(uid); }
  // Visits the pods ordered by UID; the visitor must not end a wait.
  void ForEach(const std::function<void(const PendingPod&)>& visit) const;
  size_t size() const { return rows_.size(); }

 private:
  // Deadline is the timeout of one plugin for one pod.
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
  Deadlines deadlines_;  // of the plugins without approval; equal ones in order of insertion
};

}  // namespace berth::scheduler
