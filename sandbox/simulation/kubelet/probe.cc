// SPDX-License-Identifier: Apache-2.0
#include "sandbox/simulation/kubelet/probe.h"

#include <algorithm>
#include <utility>

#include "http/client/transport.h"

namespace berth::simulation {
namespace {

constexpr int kDefaultPeriod = 10;
constexpr int kDefaultFailures = 3;

int Or(int value, int standard) { return value > 0 ? value : standard; }

Result<int> PortOf(const IntOrString& port, const api::Container& container) {
  if (port.IsInt()) return port.number();
  for (const api::ContainerPort& candidate : container.ports) {
    if (candidate.name == port.word()) return candidate.container_port;
  }
  return ConfigError("probe of container " + container.name + ": port \"" + port.ToString() +
                     "\" is not one of its ports");
}

}  // namespace

ProbeCounter::ProbeCounter(const api::Probe& probe, bool initial, SteadyTime started)
    : period_(Or(probe.period_seconds, kDefaultPeriod)),
      success_threshold_(Or(probe.success_threshold, 1)),
      failure_threshold_(Or(probe.failure_threshold, kDefaultFailures)),
      due_(started + std::chrono::seconds(probe.initial_delay_seconds)),
      holds_(initial) {}

void ProbeCounter::Record(bool success, SteadyTime now) {
  due_ = now + period_;
  if (success == holds_) {
    in_a_row_ = 0;
    return;
  }
  if (++in_a_row_ < (success ? success_threshold_ : failure_threshold_)) return;
  holds_ = success;
  in_a_row_ = 0;
}

Result<std::unique_ptr<HttpProbe>> HttpProbe::Create(const api::Probe& probe,
                                                     const api::Container& container,
                                                     const std::string& pod_ip) {
  if (!probe.http_get) {
    return ConfigError("probe of container " + container.name +
                       ": found a type that is not simulated, allowed: httpGet");
  }
  const api::HttpGetAction& action = *probe.http_get;
  BERTH_TRY(const int port, PortOf(action.port, container));
  const std::string host = action.host.empty() ? pod_ip : action.host;
  http::TransportOptions options;
  options.url =
      (action.scheme == "HTTPS" ? "https://" : "http://") + host + ":" + std::to_string(port);
  options.tls.insecure_skip_verify = true;  // as the kubelet does
  BERTH_TRY(std::unique_ptr<http::Transport> transport, http::CreateTransport(std::move(options)));
  http::Request request{.target = action.path.empty() ? "/" : action.path,
                        .timeout = std::chrono::seconds(Or(probe.timeout_seconds, 1))};
  return std::unique_ptr<HttpProbe>(new HttpProbe(std::move(transport), std::move(request)));
}

bool HttpProbe::Ask(std::stop_token stop) {
  const Result<http::Response> answer = transport_->Call(request_, std::move(stop));
  return answer && answer->code >= 200 && answer->code < 400;
}

Result<ContainerProbes::One> ContainerProbes::CreateOne(const Rare<api::Probe>& probe,
                                                        const api::Container& container,
                                                        const std::string& pod_ip) {
  One one;
  if (!probe) return one;
  one.probe = *probe;
  BERTH_TRY(one.http, HttpProbe::Create(*probe, container, pod_ip));
  return one;
}

Result<ContainerProbes> ContainerProbes::Create(const api::Container& container,
                                                const std::string& pod_ip) {
  ContainerProbes probes;
  BERTH_TRY(probes.startup_, CreateOne(container.startup_probe, container, pod_ip));
  BERTH_TRY(probes.readiness_, CreateOne(container.readiness_probe, container, pod_ip));
  BERTH_TRY(probes.liveness_, CreateOne(container.liveness_probe, container, pod_ip));
  return probes;
}

void ContainerProbes::Begin(SteadyTime now) {
  startup_failures_ = 0;
  startup_failed_ = false;
  for (const auto& [one, initial] :
       {std::pair(&startup_, false), std::pair(&readiness_, false), std::pair(&liveness_, true)}) {
    if (one->probe) one->counter.emplace(*one->probe, initial, now);
  }
}

void ContainerProbes::Ask(const Clock& clock, std::stop_token stop) {
  const auto ask = [&](One& one) {
    if (!one.counter || !one.counter->IsDue(clock.Now())) return std::optional<bool>();
    const bool success = one.http->Ask(stop);
    one.counter->Record(success, clock.Now());
    return std::optional<bool>(success);
  };
  if (!IsStarted()) {
    const std::optional<bool> answer = ask(startup_);
    if (answer && !*answer) ++startup_failures_;
    startup_failed_ = startup_failures_ >= Or(startup_.probe->failure_threshold, kDefaultFailures);
    return;
  }
  ask(readiness_);
  ask(liveness_);
}

bool ContainerProbes::MustRestart() const {
  return startup_failed_ || (liveness_.counter && !liveness_.counter->holds());
}

}  // namespace berth::simulation
