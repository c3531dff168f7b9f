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

// SchedulerReport is the scheduler's report of its own state.
struct SchedulerReport {
  std::string applied_hash;
  std::string needs_restart;  // settings that take effect after a restart; empty: none
  std::string error;          // of the newest configuration; empty: it was not rejected
  std::string rejected_hash;
  std::string metric_sources;  // their errors; empty: none
  std::string absent_kinds;    // kinds that plugins read but are not installed; empty: none
  std::optional<uint64_t> pending_pods;  // absent: not known yet
  bool operator==(const SchedulerReport&) const = default;
};

// ReportBoard holds the newest report until the Lease is written. Thread safe.
class ReportBoard {
 public:
  void Set(SchedulerReport report);
  SchedulerReport Get() const;
  // Waits until the report differs from `seen`, the time has passed, or `stop` is requested.
  void WaitForChange(const SchedulerReport& seen, std::chrono::nanoseconds time,
                     std::stop_token stop);

 private:
  mutable std::mutex mutex_;
  std::condition_variable_any changed_;
  SchedulerReport report_;  // guarded by mutex_
};

// ReportingLeasePort adds the report to the annotations of each written Lease, so that a renewal is
// also a report.
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

// Heartbeat holds the Lease of a scheduler without leader election: as its sign of life, with its
// report, and so that no second scheduler binds while pods are replaced or election is turned on or
// off. The Lease is acquired as in an election: while another holder renews it, the heartbeat
// waits. If it loses the Lease, the process does not exit but waits until the Lease is free. It
// renews the Lease each retry_period, and at once when the report changes, on its own thread.
//
// For pods this equals an election. The difference is the end of the process: a lone scheduler must
// not exit because it could not renew for a while.
class Heartbeat {
 public:
  // Calls `on_held` with each change, on the heartbeat's thread. Requires: the references outlive
  // this.
  Heartbeat(const client::LeaderElectionOptions& options, client::LeasePort& port,
            ReportBoard& board, const Clock& clock, std::function<void(bool held)> on_held);
  ~Heartbeat() { Stop(); }

  void Start();
  // Ends the thread and releases the Lease.
  void Stop();

  // The fence before a write, see client::LeaderElector. Any thread.
  bool MayWrite() const { return elector_.MayWrite(); }

 private:
  void Run(std::stop_token stop);
  void Beat();
  void Turn(bool held);

  const client::LeaderElectionOptions options_;
  ReportBoard& board_;
  const std::function<void(bool held)> on_held_;
  client::LeaderElector elector_;
  std::optional<bool> held_;  // the last reported value; used by the thread
  bool failing_ = false;      // used by the thread
  std::jthread thread_;
};

}  // namespace berth::engine
