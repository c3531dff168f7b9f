// SPDX-License-Identifier: Apache-2.0
#include "client/leader_election.h"

#include <utility>

#include "base/log.h"
#include "base/random.h"

namespace berth::client {
namespace {

constexpr double kAcquireJitter = 1.2;
constexpr std::chrono::seconds kFence{1};

LeaderElectionOptions WithRandom(LeaderElectionOptions options) {
  if (!options.random) options.random = UniformRandom();
  return options;
}

}  // namespace

LeaderElector::LeaderElector(LeaderElectionOptions options, LeasePort& port, const Clock& clock)
    : options_(std::move(options)), port_(port), clock_(clock) {}

std::string LeaderElector::holder() const {
  return observed_ ? observed_->spec.holder_identity.value_or("") : "";
}

bool LeaderElector::MayWrite() const { return clock_.Now() < HoldsUntil() - kFence; }

bool LeaderElector::IsLost() const { return clock_.Now() - renewed_at_ >= options_.renew_deadline; }

// Only a change resets the time of observation, so that an unchanged Lease expires.
void LeaderElector::Observe(api::Lease lease, SteadyTime at) {
  if (!observed_ || observed_->spec != lease.spec) observed_at_ = at;
  observed_ = std::move(lease);
}

bool LeaderElector::OthersHold(SteadyTime now) const {
  const std::string held_by = holder();
  if (held_by.empty() || held_by == options_.identity) return false;
  const auto duration = std::chrono::seconds(observed_->spec.lease_duration_seconds.value_or(0));
  return now < observed_at_ + duration;
}

Result<bool> LeaderElector::TryAcquireOrRenew() {
  const SteadyTime started = clock_.Now();
  // The holder writes its last known Lease, and reads it only after a rejected write.
  if (observed_ && holder() == options_.identity) {
    auto written = Write(&*observed_, started);
    const bool rejected = !written && written.error().http_code() != 0;
    if (!rejected) return written;
  }
  auto current = port_.Get();
  if (!current && current.error().Is(Reason::kNotFound)) {
    observed_.reset();
    return Write(nullptr, clock_.Now());
  }
  if (!current) return Fail(std::move(current).error());
  Observe(std::move(*current), clock_.Now());
  if (OthersHold(clock_.Now())) {
    holds_until_ = SteadyTime{};
    return false;
  }
  return Write(&*observed_, clock_.Now());
}

// Returns the Lease to write over `previous`; nullptr creates it.
api::Lease LeaderElector::Ours(const api::Lease* previous) const {
  api::Lease lease = previous != nullptr ? *previous : api::Lease{};
  const bool was_ours = previous != nullptr && lease.spec.holder_identity == options_.identity;
  const MicroTime now(clock_.Wall());
  if (!was_ours) {
    const int32_t before = lease.spec.lease_transitions.value_or(0);
    lease.spec.lease_transitions = previous != nullptr ? before + 1 : 0;
    lease.spec.acquire_time = now;
  }
  lease.spec.holder_identity = options_.identity;
  lease.spec.renew_time = now;
  lease.spec.lease_duration_seconds = static_cast<int32_t>(
      std::chrono::duration_cast<std::chrono::seconds>(options_.lease_duration).count());
  return lease;
}

Result<bool> LeaderElector::Write(const api::Lease* previous, SteadyTime started) {
  const api::Lease wanted = Ours(previous);
  auto written = previous != nullptr ? port_.Update(wanted) : port_.Create(wanted);
  if (!written) return Fail(std::move(written).error());
  Observe(std::move(*written), clock_.Now());
  renewed_at_ = started;
  holds_until_ = started + options_.lease_duration;
  return true;
}

Result<void> LeaderElector::Release() {
  holds_until_ = SteadyTime{};
  if (!observed_ || holder() != options_.identity) return {};
  api::Lease lease = *observed_;
  const MicroTime now(clock_.Wall());
  lease.spec.holder_identity = "";
  lease.spec.lease_duration_seconds = 1;
  lease.spec.renew_time = now;
  lease.spec.acquire_time = now;
  BERTH_TRY(lease, port_.Update(lease));
  Observe(std::move(lease), clock_.Now());
  return {};
}

LeaderElection::LeaderElection(LeaderElectionOptions options, LeasePort& port, const Clock& clock,
                               Callbacks callbacks)
    : options_(WithRandom(std::move(options))),
      clock_(clock),
      callbacks_(std::move(callbacks)),
      elector_(options_, port, clock) {}

LeaderElection::~LeaderElection() { Stop(); }

void LeaderElection::Start() {
  thread_ = std::jthread([this](std::stop_token stop) { Run(std::move(stop)); });
}

void LeaderElection::Stop() {
  if (!thread_.joinable()) return;
  thread_.request_stop();
  thread_.join();
}

void LeaderElection::RenewNow() {
  {
    const std::lock_guard lock(mutex_);
    has_news_ = true;
  }
  wake_.notify_all();
}

void LeaderElection::Run(std::stop_token stop) {
  const bool led = Acquire(stop);
  if (led) {
    leading_ = true;
    log::Info("Became leader",
              {{"lease", options_.ns + "/" + options_.name}, {"identity", options_.identity}});
    RecordEvent("became leader");
    if (callbacks_.on_started) callbacks_.on_started();
    Renew(stop);
    leading_ = false;
  }
  if (stop.stop_requested()) Release();
  if (led) RecordEvent("stopped leading");
  if (!stop.stop_requested() && callbacks_.on_lost) callbacks_.on_lost();
}

void LeaderElection::Release() {
  if (!options_.release_on_stop) return;
  if (auto released = elector_.Release(); !released) {
    // Expected for the scheduler of a deleted profile: its ServiceAccount is deleted before its pod.
    log::Info("Did not release the lease, another process can take it when it expires",
              {{"err", released.error()}});
  }
}

// Retries until we lead (true) or are stopped (false).
bool LeaderElection::Acquire(std::stop_token stop) {
  bool said = false;
  while (!stop.stop_requested()) {
    const auto acquired = elector_.TryAcquireOrRenew();
    ReportHolder();
    if (acquired && *acquired) return true;
    if (!acquired && !std::exchange(said, true)) {
      log::Warn("Could not acquire the lease, retrying", {{"err", acquired.error()}});
    }
    const double stretch = 1 + options_.random() * kAcquireJitter;
    Wait(std::chrono::duration_cast<std::chrono::milliseconds>(options_.retry_period * stretch),
         stop);
  }
  return false;
}

// Renews until we are stopped or have lost the Lease.
void LeaderElection::Renew(std::stop_token stop) {
  while (true) {
    Wait(options_.retry_period, stop);
    if (stop.stop_requested()) return;
    const auto renewed = elector_.TryAcquireOrRenew();
    ReportHolder();
    if (renewed && *renewed) continue;
    const bool taken = renewed.has_value();
    if (!taken && !elector_.IsLost()) continue;
    log::Error("Lost the lease",
               {{"lease", options_.ns + "/" + options_.name},
                {"holder", elector_.holder()},
                {"err", taken ? "another identity holds it" : renewed.error().message()}});
    return;
  }
}

void LeaderElection::ReportHolder() {
  const std::string holder = elector_.holder();
  if (holder == last_holder_) return;
  last_holder_ = holder;
  if (callbacks_.on_holder) callbacks_.on_holder(holder);
}

void LeaderElection::RecordEvent(std::string_view what) {
  if (!callbacks_.on_event || !elector_.observed()) return;
  callbacks_.on_event(*elector_.observed(), options_.identity + " " + std::string(what));
}

void LeaderElection::Wait(std::chrono::milliseconds delay, std::stop_token stop) {
  std::unique_lock lock(mutex_);
  wake_.wait_for(lock, stop, delay, [this] { return has_news_; });
  has_news_ = false;
}

}  // namespace berth::client
