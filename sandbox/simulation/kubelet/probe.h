// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>

#include "api/container.h"
#include "base/clock.h"
#include "base/error.h"
#include "http/client/transport.h"

namespace berth::simulation {

// ProbeCounter turns the results of one probe into a verdict: consecutive results up to a threshold
// change it. Source: core/v1 Probe, including the defaults for fields that are zero.
class ProbeCounter {
 public:
  ProbeCounter(const api::Probe& probe, bool initial, SteadyTime started);

  bool IsDue(SteadyTime now) const { return now >= due_; }
  void Record(bool success, SteadyTime now);
  bool holds() const { return holds_; }

 private:
  std::chrono::seconds period_;
  int success_threshold_;
  int failure_threshold_;
  SteadyTime due_;
  bool holds_;
  int in_a_row_ = 0;  // consecutive results that contradict holds_
};

// HttpProbe probes one container over HTTP. Every code from 200 to 399 is a success.
class HttpProbe {
 public:
  // Fails (kConfig) for a probe of another type, and for a port name that the container does not
  // have.
  static Result<std::unique_ptr<HttpProbe>> Create(const api::Probe& probe,
                                                   const api::Container& container,
                                                   const std::string& pod_ip);

  // Blocks until the response arrives, the probe's timeout has passed or `stop` is requested.
  bool Ask(std::stop_token stop);

 private:
  HttpProbe(std::unique_ptr<http::Transport> transport, http::Request request)
      : transport_(std::move(transport)), request_(std::move(request)) {}

  const std::unique_ptr<http::Transport> transport_;
  const http::Request request_;
};

// ContainerProbes are the probes of one run of a container: readiness and liveness wait until
// startup has succeeded. For one thread.
class ContainerProbes {
 public:
  static Result<ContainerProbes> Create(const api::Container& container, const std::string& pod_ip);

  // Starts the periods; called when the container starts.
  void Begin(SteadyTime now);
  // Runs the probes that are due; blocks until they finish.
  void Ask(const Clock& clock, std::stop_token stop);

  bool IsStarted() const { return !startup_.counter || startup_.counter->holds(); }
  bool IsReady() const {
    return IsStarted() && (!readiness_.counter || readiness_.counter->holds());
  }
  // Reports whether the container must be killed.
  bool MustRestart() const;

 private:
  struct One {
    std::optional<api::Probe> probe;
    std::unique_ptr<HttpProbe> http;
    std::optional<ProbeCounter> counter;
  };
  static Result<One> CreateOne(const Rare<api::Probe>& probe, const api::Container& container,
                               const std::string& pod_ip);

  One startup_, readiness_, liveness_;
  bool startup_failed_ = false;
  int startup_failures_ = 0;
};

}  // namespace berth::simulation
