// SPDX-License-Identifier: Apache-2.0
#include "sandbox/simulation/kubelet/container_runner.h"

#include <algorithm>
#include <csignal>
#include <utility>

namespace berth::simulation {
namespace {

constexpr std::chrono::milliseconds kTick(25);  // between checks of the child
constexpr std::chrono::seconds kLivenessGrace(10);
constexpr std::chrono::seconds kFirstDelay(10);
constexpr std::chrono::seconds kMaxDelay(300);

}  // namespace

std::chrono::seconds RestartDelay(int restarts) {
  if (restarts <= 0) return std::chrono::seconds(0);
  return std::min(kMaxDelay, kFirstDelay * (1 << std::min(restarts - 1, 10)));
}

ContainerRunner::ContainerRunner(Options options, ContainerProbes probes, const Clock& clock,
                                 std::function<void()> on_change)
    : options_(std::move(options)),
      clock_(clock),
      on_change_(std::move(on_change)),
      probes_(std::move(probes)),
      view_(options_.initial),
      thread_([this] { Run(); }) {}

ContainerRunner::~ContainerRunner() { Stop(std::chrono::seconds(0)); }

ContainerView ContainerRunner::view() const {
  std::lock_guard lock(mutex_);
  return view_;
}

bool ContainerRunner::HasEnded() const {
  std::lock_guard lock(mutex_);
  return ended_;
}

std::optional<SteadyTime> ContainerRunner::kill_at() const {
  std::lock_guard lock(mutex_);
  return kill_at_;
}

void ContainerRunner::Stop(std::chrono::seconds grace) {
  {
    std::lock_guard lock(mutex_);
    const SteadyTime at = clock_.Now() + grace;
    kill_at_ = kill_at_ ? std::min(*kill_at_, at) : at;
  }
  stop_probing_.request_stop();
  wake_.notify_all();
}

void ContainerRunner::Sleep(std::chrono::nanoseconds wait) {
  std::unique_lock lock(mutex_);
  if (kill_at_) {
    wake_.wait_for(lock, std::min<std::chrono::nanoseconds>(wait, kTick));
  } else {
    wake_.wait_for(lock, wait, [this] { return kill_at_.has_value(); });
  }
}

void ContainerRunner::Change(const std::function<void(ContainerView&)>& edit) {
  {
    std::lock_guard lock(mutex_);
    const ContainerView before = view_;
    edit(view_);
    if (view_ == before) return;
  }
  on_change_();
}

bool ContainerRunner::MayRestart(int exit_code) const {
  if (kill_at()) return false;
  return options_.restart_policy == "Always" ||
         (options_.restart_policy == "OnFailure" && exit_code != 0);
}

void ContainerRunner::Run() {
  while (!kill_at()) {
    const std::optional<int> exit_code = RunOnce();
    if (!MayRestart(exit_code.value_or(127))) break;
    const int restarts = view().restarts;
    const std::chrono::seconds delay = RestartDelay(restarts);
    Change([&](ContainerView& view) {
      view.restarts = restarts + 1;
      if (delay.count() == 0) return;
      view.state = ContainerView::State::kWaiting;
      view.message = "back-off " + std::to_string(delay.count()) +
                     "s restarting failed container=" + view.name + "; last exit code " +
                     std::to_string(exit_code.value_or(127));
      view.reason = "CrashLoopBackOff";
    });
    Sleep(delay);
  }
  {
    std::lock_guard lock(mutex_);
    ended_ = true;
  }
  on_change_();
}

std::optional<int> ContainerRunner::RunOnce() {
  Result<ChildProcess> child = ChildProcess::Start(options_.launch);
  if (!child) {
    Change([&](ContainerView& view) {
      view.state = ContainerView::State::kWaiting;
      view.reason = "RunContainerError";
      view.message = child.error().message();
    });
    return std::nullopt;
  }
  probes_.Begin(clock_.Now());
  Change([&](ContainerView& view) {
    view.state = ContainerView::State::kRunning;
    view.started_at = clock_.Wall();
    view.ready = probes_.IsReady();
  });
  Supervise(*child);
  const int exit_code = *child->ExitCode();
  Change([&](ContainerView& view) {
    view.state = ContainerView::State::kTerminated;
    view.ready = false;
    view.exit_code = exit_code;
    view.reason = exit_code == 0 ? "Completed" : "Error";
    view.message.clear();
    view.finished_at = clock_.Wall();
  });
  return exit_code;
}

void ContainerRunner::Supervise(ChildProcess& child) {
  std::optional<SteadyTime> deadline;  // set: it is being stopped
  while (!child.ExitCode()) {
    const std::optional<SteadyTime> asked = kill_at();
    const bool must_end = asked.has_value() || probes_.MustRestart();
    if (must_end && !deadline) {
      deadline = asked.value_or(clock_.Now() + kLivenessGrace);
      child.Signal(SIGTERM);
    }
    if (asked && deadline) deadline = std::min(*deadline, *asked);
    if (deadline && clock_.Now() >= *deadline) child.Signal(SIGKILL);
    if (!deadline) {
      probes_.Ask(clock_, stop_probing_.get_token());
      Change([&](ContainerView& view) { view.ready = probes_.IsReady(); });
    }
    Sleep(kTick);
  }
}

}  // namespace berth::simulation
