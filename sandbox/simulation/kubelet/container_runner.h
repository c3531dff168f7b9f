// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>

#include "base/clock.h"
#include "sandbox/simulation/kubelet/child_process.h"
#include "sandbox/simulation/kubelet/pod_status.h"
#include "sandbox/simulation/kubelet/probe.h"

namespace berth::simulation {

// Returns the restart backoff of a container: zero the first time, then doubled from ten seconds up
// to five minutes, like the kubelet.
std::chrono::seconds RestartDelay(int restarts);

// ContainerRunner runs one container of a pod as a child process, on its own thread: it starts the
// process, runs its probes, and restarts it according to the restart policy.
class ContainerRunner {
 public:
  struct Options {
    ContainerView initial;  // name and image
    ChildProcess::Launch launch;
    std::string restart_policy;  // Always, OnFailure, Never
  };

  // `on_change` is called on the runner's thread after the view has changed; it must not block.
  // Requires: clock outlives this.
  ContainerRunner(Options options, ContainerProbes probes, const Clock& clock,
                  std::function<void()> on_change);
  // Kills the process if it still runs.
  ~ContainerRunner();
  ContainerRunner(const ContainerRunner&) = delete;
  ContainerRunner& operator=(const ContainerRunner&) = delete;

  ContainerView view() const;
  // Sends SIGTERM and kills the process after `grace`; returns at once. Of several calls the
  // shortest grace counts.
  void Stop(std::chrono::seconds grace);
  // Reports whether it has stopped and will not restart.
  bool HasEnded() const;

 private:
  void Run();
  // Returns the exit code, or nullopt if the program could not be started.
  std::optional<int> RunOnce();
  void Supervise(ChildProcess& child);
  bool MayRestart(int exit_code) const;
  // Waits for `wait`, or until Stop is called.
  void Sleep(std::chrono::nanoseconds wait);
  void Change(const std::function<void(ContainerView&)>& edit);
  std::optional<SteadyTime> kill_at() const;

  const Options options_;
  const Clock& clock_;
  const std::function<void()> on_change_;
  ContainerProbes probes_;         // owned by the thread
  std::stop_source stop_probing_;  // cancels a running probe at the end

  mutable std::mutex mutex_;  // guards all below
  std::condition_variable wake_;
  ContainerView view_;
  std::optional<SteadyTime> kill_at_;  // set: stopping
  bool ended_ = false;

  std::jthread thread_;  // last: uses the rest
};

}  // namespace berth::simulation
