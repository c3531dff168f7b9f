// SPDX-License-Identifier: Apache-2.0
#include "engine/heartbeat.h"

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

void ConfigReportBoard::Set(ConfigReport report) {
  {
    const std::lock_guard lock(mutex_);
    report_ = std::move(report);
  }
  changed_.notify_all();
}

ConfigReport ConfigReportBoard::Get() const {
  const std::lock_guard lock(mutex_);
  return report_;
}

void ConfigReportBoard::WaitForChange(const ConfigReport& seen, SteadyTime deadline,
                                      std::stop_token stop) {
  std::unique_lock lock(mutex_);
  changed_.wait_until(lock, stop, deadline, [&] { return report_ != seen; });
}

api::Lease ReportingLeasePort::Annotated(api::Lease lease) const {
  const ConfigReport report = board_.Get();
  SetOrErase(lease.metadata.annotations, api::kAppliedConfigHashAnnotation, report.applied_hash);
  SetOrErase(lease.metadata.annotations, api::kConfigNeedsRestartAnnotation, report.needs_restart);
  SetOrErase(lease.metadata.annotations, api::kConfigErrorAnnotation, report.error);
  return lease;
}

Result<void> WriteHeartbeat(const HeartbeatOptions& options, client::LeasePort& port, Time now) {
  auto current = port.Get();
  if (!current && !current.error().Is(Reason::kNotFound)) return Fail(current.error());

  api::Lease lease = current ? *current : api::Lease{};
  lease.metadata.namespace_ = options.ns;
  lease.metadata.name = options.name;
  if (lease.spec.holder_identity != options.identity) {
    lease.spec.lease_transitions = current ? lease.spec.lease_transitions.value_or(0) + 1 : 0;
    lease.spec.acquire_time = MicroTime(now);
  }
  lease.spec.holder_identity = options.identity;
  lease.spec.renew_time = MicroTime(now);
  lease.spec.lease_duration_seconds = static_cast<int32_t>(
      std::chrono::duration_cast<std::chrono::seconds>(options.lease_duration).count());
  auto written = current ? port.Update(lease) : port.Create(lease);
  if (!written) return Fail(std::move(written).error());
  return {};
}

Heartbeat::Heartbeat(HeartbeatOptions options, client::LeasePort& port, ConfigReportBoard& board,
                     const Clock& clock)
    : options_(std::move(options)),
      port_(port),
      board_(board),
      clock_(clock),
      thread_([this](std::stop_token stop) { Run(stop); }) {}

void Heartbeat::Run(std::stop_token stop) {
  bool failing = false;
  while (!stop.stop_requested()) {
    const ConfigReport seen = board_.Get();
    const auto written = WriteHeartbeat(options_, port_, clock_.Wall());
    if (!written && !failing) {
      log::Warn("Could not renew Lease, retrying",
                {{"lease", options_.ns + "/" + options_.name}, {"err", written.error()}});
    } else if (written && failing) {
      log::Info("Renewed Lease again", {{"lease", options_.ns + "/" + options_.name}});
    }
    failing = !written;
    board_.WaitForChange(seen, clock_.Now() + options_.period, stop);
  }
}

}  // namespace berth::engine
