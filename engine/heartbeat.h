// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "base/clock.h"
#include "client/leader_election.h"
#include "client/lease.h"

namespace berth::engine {

// SchedulerReport is what the scheduler says of itself: the hash of the text it runs with, which
// settings of it wait for a restart, why a newer text was refused, with its hash, which of the
// metric sources it names do not answer, which kinds it reads the API server does not know, and how
// many pods wait for a node.
struct SchedulerReport {
  std::string applied_hash;
  std::string needs_restart;  // empty: it runs with all of it
  std::string error;          // empty: nothing was refused
  std::string rejected_hash;
  std::string metric_sources;            // what is wrong with them; empty: nothing
  std::string absent_kinds;              // that plugins read and nobody has installed; empty: none
  std::optional<uint64_t> pending_pods;  // absent: not known yet
  bool operator==(const SchedulerReport&) const = default;
};

// ReportBoard holds the newest report until the Lease is written. Thread safe.
class ReportBoard {
 public:
  void Set(SchedulerReport report);
  SchedulerReport Get() const;
  // WaitForChange returns when the report differs from `seen`, after that time, or when `stop` is
  // asked for.
  void WaitForChange(const SchedulerReport& seen, std::chrono::nanoseconds time,
                     std::stop_token stop);

 private:
  mutable std::mutex mutex_;
  std::condition_variable_any changed_;
  SchedulerReport report_;  // guarded by mutex_
};

// ReportingLeasePort puts the report into the annotations of each Lease that is written, so that a
// renewal is a report.
class ReportingLeasePort final : public client::LeasePort {
 public:
  // Requires: port and board outlive this.
  ReportingLeasePort(client::LeasePort& port, const ReportBoard& board)
      : port_(port), board_(board) {}

  Result<api::Lease> Get() override { return port_.Get(); }
  Result<api::Lease> Create(const api::Lease& lease) override {
    return port_.Create(Annotated(lease));
  }
  Result<api::Lease> Update(const api::Lease& lease) override {
    return port_.Update(Annotated(lease));
  }

 private:
  api::Lease Annotated(api::Lease lease) const;

  client::LeasePort& port_;
  const ReportBoard& board_;
};

// Heartbeat holds the Lease of a scheduler that does not elect a leader: its sign of life, with the
// report on it, and what keeps a second one from binding while pods are replaced or election is
// switched on or off. The Lease is taken as in an election, so that one which another renews is
// waited for; but who loses it does not end, and goes on once it is free. It is written each
// retry_period, and at once when the report changes, on a thread of its own.
//
// An election would be the same to pods; what differs is the end: a lone scheduler whose process
// ended because it could not renew for a while would only be missed.
class Heartbeat {
 public:
  // Requires: all outlive this. `on_held` is called with each turn, on the heartbeat's thread.
  Heartbeat(const client::LeaderElectionOptions& options, client::LeasePort& port,
            ReportBoard& board, const Clock& clock, std::function<void(bool held)> on_held);
  ~Heartbeat() { Stop(); }

  void Start();
  // Stop ends the thread and gives the Lease back.
  void Stop();

  // MayWrite is the fence before a write, see client::LeaderElector. Any thread.
  bool MayWrite() const { return elector_.MayWrite(); }

 private:
  void Run(std::stop_token stop);
  void Beat();
  void Turn(bool held);

  const client::LeaderElectionOptions options_;
  ReportBoard& board_;
  const std::function<void(bool held)> on_held_;
  client::LeaderElector elector_;
  std::optional<bool> held_;  // as told last; of the thread
  bool failing_ = false;      // of the thread
  std::jthread thread_;
};

}  // namespace berth::engine
