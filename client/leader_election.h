// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>

#include "api/coordination.h"
#include "base/clock.h"
#include "base/error.h"
#include "client/lease.h"

namespace berth::client {

struct LeaderElectionOptions {
  std::string ns;
  std::string name;
  std::string identity;  // unique: "<hostname>_<uuid>"
  std::chrono::milliseconds lease_duration = std::chrono::seconds(15);
  std::chrono::milliseconds renew_deadline = std::chrono::seconds(10);
  std::chrono::milliseconds retry_period = std::chrono::seconds(2);
  bool release_on_stop = true;
  std::function<double()> random;  // in [0, 1); unset: seeded by the system
};

// LeaderElector decides, one attempt at a time, whether we hold a Lease. It never waits;
// LeaderElection drives it.
//
// Only our own steady clock and *changes* of the Lease count: a Lease that we saw unchanged for its
// duration is free, regardless of its timestamps. For one thread, except HoldsUntil(). Source:
// client-go tools/leaderelection/leaderelection.go, tryAcquireOrRenew.
class LeaderElector {
 public:
  LeaderElector(LeaderElectionOptions options, LeasePort& port, const Clock& clock);

  // Makes one attempt. Returns true if we hold the Lease now, false if another identity holds it.
  // After an error the state is unknown: we may still hold the Lease, see HoldsUntil().
  Result<bool> TryAcquireOrRenew();

  // Releases the Lease if we hold it.
  Result<void> Release();

  // Reports whether the last successful attempt is at least renew_deadline ago: stop leading.
  bool IsLost() const;

  // Returns the last observed holder identity; empty before the first observation or after a
  // release.
  std::string holder() const;
  // Returns the Lease as last read or written; nullopt before that.
  const std::optional<api::Lease>& observed() const { return observed_; }

  // Returns the time until which no other identity may take the Lease: the start of the last
  // successful write + lease_duration; the minimum time if we do not hold it. Any thread.
  SteadyTime HoldsUntil() const { return holds_until_.load(); }
  // Reports whether we hold the Lease for at least another second; the fence before each write. Any
  // thread.
  bool MayWrite() const;

 private:
  api::Lease Ours(const api::Lease* previous) const;
  Result<bool> Write(const api::Lease* previous, SteadyTime started);
  void Observe(api::Lease lease, SteadyTime at);
  bool OthersHold(SteadyTime now) const;

  const LeaderElectionOptions options_;
  LeasePort& port_;
  const Clock& clock_;
  std::optional<api::Lease> observed_;
  SteadyTime observed_at_{};
  SteadyTime renewed_at_{};
  std::atomic<SteadyTime> holds_until_{};
};

// LeaderElection runs an elector on its own thread: it acquires with jittered retries, renews, and
// reports when leading begins and ends.
class LeaderElection {
 public:
  struct Callbacks {
    std::function<void()> on_started;  // we became leader; on the election's thread
    std::function<void()> on_lost;     // leadership was lost, not released
    std::function<void(const std::string& holder)> on_holder;  // the holder changed; optional
    // Text of an event of the Lease: "ID became leader", or "ID stopped leading" after it was lost
    // or released; on the election's thread; optional. Source: client-go
    // tools/leaderelection/leaderelection.go, acquire and renew; resourcelock/leaselock.go,
    // RecordEvent.
    std::function<void(const api::Lease& lease, const std::string& note)> on_event;
  };

  // Requires: port and clock outlive this.
  LeaderElection(LeaderElectionOptions options, LeasePort& port, const Clock& clock,
                 Callbacks callbacks);
  ~LeaderElection();

  void Start();
  // Ends the thread and releases the Lease if we hold it (release_on_stop). on_lost is not called
  // afterwards.
  void Stop();
  // Makes the next attempt at once, to publish a change of the Lease's content. Any thread.
  void RenewNow();

  bool IsLeader() const { return leading_.load(); }
  SteadyTime HoldsUntil() const { return elector_.HoldsUntil(); }
  bool MayWrite() const { return elector_.MayWrite(); }

 private:
  void Run(std::stop_token stop);
  bool Acquire(std::stop_token stop);
  void Renew(std::stop_token stop);
  void Release();
  void Wait(std::chrono::milliseconds delay, std::stop_token stop);
  void ReportHolder();
  void RecordEvent(std::string_view what);

  const LeaderElectionOptions options_;
  const Clock& clock_;
  const Callbacks callbacks_;
  LeaderElector elector_;
  std::string last_holder_;
  std::atomic<bool> leading_ = false;
  std::mutex mutex_;
  std::condition_variable_any wake_;
  bool has_news_ = false;  // guarded by mutex_
  std::jthread thread_;    // last: uses the rest
};

}  // namespace berth::client
