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

// RestartDelay is how long a container that has ended stays down: nothing the first time, then from
// ten seconds doubled up to five minutes, as the kubelet does it.
std::chrono::seconds RestartDelay(int restarts);

// ContainerRunner keeps one container of a pod running as a child process, on a thread of its own:
// starts it, asks its probes, starts it again when it ends and the restart policy says so.
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
  // Kills what still runs.
  ~ContainerRunner();
  ContainerRunner(const ContainerRunner&) = delete;
  ContainerRunner& operator=(const ContainerRunner&) = delete;

  ContainerView view() const;
  // Stop asks the process to end and kills it after `grace`; returns at once. Of several calls the
  // shortest grace counts.
  void Stop(std::chrono::seconds grace);
  // HasEnded: it does not run and will not run again.
  bool HasEnded() const;

 private:
  void Run();
  // RunOnce gives the exit code, or nothing when the program could not be started.
  std::optional<int> RunOnce();
  void Supervise(ChildProcess& child);
  bool MayRestart(int exit_code) const;
  // Sleep waits so long, or until something is asked of the runner.
  void Sleep(std::chrono::nanoseconds wait);
  void Change(const std::function<void(ContainerView&)>& edit);
  std::optional<SteadyTime> kill_at() const;

  const Options options_;
  const Clock& clock_;
  const std::function<void()> on_change_;
  ContainerProbes probes_;         // of the thread
  std::stop_source stop_probing_;  // so that a probe under way does not delay the end

  mutable std::mutex mutex_;  // guards all below
  std::condition_variable wake_;
  ContainerView view_;
  std::optional<SteadyTime> kill_at_;  // set: stopping
  bool ended_ = false;

  std::jthread thread_;  // last: uses the rest
};

}  // namespace berth::simulation
