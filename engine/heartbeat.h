// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

#include "base/clock.h"
#include "client/lease.h"

namespace berth::engine {

// ConfigReport is what the scheduler says about its configuration: the hash of the text it runs
// with, which settings of it wait for a restart, and why a newer text was refused.
struct ConfigReport {
  std::string applied_hash;
  std::string needs_restart;  // empty: it runs with all of it
  std::string error;          // empty: nothing was refused
  bool operator==(const ConfigReport&) const = default;
};

// ConfigReportBoard holds the newest report until the Lease is written. Thread safe.
class ConfigReportBoard {
 public:
  void Set(ConfigReport report);
  ConfigReport Get() const;
  // WaitForChange returns when the report differs from `seen`, at the deadline, or when `stop` is
  // asked for.
  void WaitForChange(const ConfigReport& seen, SteadyTime deadline, std::stop_token stop);

 private:
  mutable std::mutex mutex_;
  std::condition_variable_any changed_;
  ConfigReport report_;  // guarded by mutex_
};

// ReportingLeasePort puts the report into the annotations of each Lease that is written, so that a
// renewal is a report.
class ReportingLeasePort final : public client::LeasePort {
 public:
  // Requires: port and board outlive this.
  ReportingLeasePort(client::LeasePort& port, const ConfigReportBoard& board)
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
  const ConfigReportBoard& board_;
};

struct HeartbeatOptions {
  std::string ns;
  std::string name;
  std::string identity;
  std::chrono::milliseconds lease_duration = std::chrono::seconds(15);
  std::chrono::milliseconds period = std::chrono::seconds(2);
};

// WriteHeartbeat renews the Lease in our name, also when another held it: without leader election
// it is no lock, but a sign of life.
Result<void> WriteHeartbeat(const HeartbeatOptions& options, client::LeasePort& port, Time now);

// Heartbeat does that each period, and at once when the report changes, on a thread of its own. A
// failure is said once, and once when it is over.
class Heartbeat {
 public:
  // Requires: all outlive this.
  Heartbeat(HeartbeatOptions options, client::LeasePort& port, ConfigReportBoard& board,
            const Clock& clock);

 private:
  void Run(std::stop_token stop);

  const HeartbeatOptions options_;
  client::LeasePort& port_;
  ConfigReportBoard& board_;
  const Clock& clock_;
  std::jthread thread_;  // last: uses the rest
};

}  // namespace berth::engine
