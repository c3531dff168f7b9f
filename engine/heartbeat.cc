// SPDX-License-Identifier: Apache-2.0
#include "engine/heartbeat.h"

#include <utility>

#include "api/scheduler_contract.h"
#include "base/log.h"

namespace berth::engine {
namespace {

void SetOrErase(api::StringMap& map, std::string_view key, const std::string& value) {
  if (value.empty()) {
    map.erase(std::string(key));
  } else {
    map[std::string(key)] = value;
  }
}

}  // namespace

void ReportBoard::Set(SchedulerReport report) {
  {
    const std::lock_guard lock(mutex_);
    report_ = std::move(report);
  }
  changed_.notify_all();
}

SchedulerReport ReportBoard::Get() const {
  const std::lock_guard lock(mutex_);
  return report_;
}

void ReportBoard::WaitForChange(const SchedulerReport& seen, std::chrono::nanoseconds time,
                                std::stop_token stop) {
  std::unique_lock lock(mutex_);
  changed_.wait_for(lock, stop, time, [&] { return report_ != seen; });
}

api::Lease ReportingLeasePort::Annotated(api::Lease lease) const {
  const SchedulerReport report = board_.Get();
  // A released Lease has no holder, but keeps the reporter's name.
  const std::string holder = lease.spec.holder_identity.value_or("");
  if (!holder.empty()) {
    lease.metadata.annotations[std::string(api::kReporterAnnotation)] = holder;
  }
  SetOrErase(lease.metadata.annotations, api::kAppliedConfigHashAnnotation, report.applied_hash);
  SetOrErase(lease.metadata.annotations, api::kConfigNeedsRestartAnnotation, report.needs_restart);
  SetOrErase(lease.metadata.annotations, api::kConfigErrorAnnotation, report.error);
  SetOrErase(lease.metadata.annotations, api::kConfigErrorHashAnnotation, report.rejected_hash);
  SetOrErase(lease.metadata.annotations, api::kMetricSourcesAnnotation, report.metric_sources);
  SetOrErase(lease.metadata.annotations, api::kAbsentKindsAnnotation, report.absent_kinds);
  SetOrErase(lease.metadata.annotations, api::kPendingPodsAnnotation,
             report.pending_pods ? std::to_string(*report.pending_pods) : "");
  return lease;
}

Heartbeat::Heartbeat(const client::LeaderElectionOptions& options, client::LeasePort& port,
                     ReportBoard& board, const Clock& clock, std::function<void(bool held)> on_held)
    : options_(options),
      board_(board),
      on_held_(std::move(on_held)),
      elector_(options, port, clock) {}

void Heartbeat::Start() {
  thread_ = std::jthread([this](std::stop_token stop) { Run(std::move(stop)); });
}

void Heartbeat::Stop() {
  if (!thread_.joinable()) return;
  thread_.request_stop();
  thread_.join();
}

void Heartbeat::Run(std::stop_token stop) {
  while (!stop.stop_requested()) {
    const SchedulerReport seen = board_.Get();
    Beat();
    board_.WaitForChange(seen, options_.retry_period, stop);
  }
  if (const auto released = elector_.Release(); !released) {
    log::Warn("Could not release the Lease, it will expire", {{"err", released.error()}});
  }
}

// Logs a failure once, and its end once.
void Heartbeat::Beat() {
  const std::string lease = options_.ns + "/" + options_.name;
  const auto held = elector_.TryAcquireOrRenew();
  if (!held && !failing_) {
    log::Warn("Could not renew Lease, retrying", {{"lease", lease}, {"err", held.error()}});
  } else if (held && failing_) {
    log::Info("Renewed Lease again", {{"lease", lease}});
  }
  failing_ = !held;
  if (held) Turn(*held);
  if (!held && elector_.IsLost()) Turn(false);
}

void Heartbeat::Turn(bool held) {
  if (held_ == held) return;
  held_ = held;
  log::Info(held ? "Holds Lease" : "Waits for Lease",
            {{"lease", options_.ns + "/" + options_.name}, {"holder", elector_.holder()}});
  on_held_(held);
}

}  // namespace berth::engine
