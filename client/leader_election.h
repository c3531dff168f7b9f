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

// LeaderElector decides, one attempt at a time, whether we hold a Lease. It does no waiting:
// LeaderElection drives it.
//
// Only our own steady clock and the *change* of the lease count: a lease that we saw unchanged for
// its duration is free, whatever its timestamps say. For one thread, but HoldsUntil(). Source:
// client-go tools/leaderelection/leaderelection.go, tryAcquireOrRenew.
class LeaderElector {
 public:
  LeaderElector(LeaderElectionOptions options, LeasePort& port, const Clock& clock);

  // TryAcquireOrRenew makes one attempt. True: we hold the lease now. False: another holds it. An
  // error: unknown; we may still hold it from before, see HoldsUntil().
  Result<bool> TryAcquireOrRenew();

  // Release gives the lease back, if we hold it.
  Result<void> Release();

  // IsLost says that the last success is renew_deadline ago: stop leading.
  bool IsLost() const;

  // The identity that holds the lease as far as we know; empty: nobody.
  std::string holder() const;
  // The lease as it was seen or written last; absent: never.
  const std::optional<api::Lease>& observed() const { return observed_; }

  // HoldsUntil is when others may take the lease from us: the start of the last successful write +
  // lease_duration; the beginning of time when we do not hold it. Any thread.
  SteadyTime HoldsUntil() const { return holds_until_.load(); }
  // MayWrite is the fence before a write: we hold the lease for at least another second. Any thread.
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

// LeaderElection runs an elector on its own thread: acquires with jittered retries, renews, and
// says when leading begins and ends.
class LeaderElection {
 public:
  struct Callbacks {
    std::function<void()> on_started;  // we lead; on the election's thread
    std::function<void()> on_lost;     // we do not any more, without having wanted it
    std::function<void(const std::string& holder)> on_holder;  // another holder is seen; optional
    // What users are to read of the Lease: "ID became leader", and "ID stopped leading" after it was
    // lost or given back; on the election's thread; optional. Source: client-go
    // tools/leaderelection/leaderelection.go, acquire and renew; resourcelock/leaselock.go,
    // RecordEvent.
    std::function<void(const api::Lease& lease, const std::string& note)> on_event;
  };

  // Requires: port and clock outlive this.
  LeaderElection(LeaderElectionOptions options, LeasePort& port, const Clock& clock,
                 Callbacks callbacks);
  ~LeaderElection();

  void Start();
  // Stop ends the thread and releases the lease if we hold it (release_on_stop). After it on_lost
  // is not called.
  void Stop();
  // RenewNow makes the next attempt at once, where what the Lease says has news. Any thread.
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
