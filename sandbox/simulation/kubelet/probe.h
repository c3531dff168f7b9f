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

// ProbeCounter turns answers of one probe into a verdict: so many in a row turn it. Source: core/v1
// Probe, whose defaults it takes where a field is zero.
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
  int in_a_row_ = 0;  // answers that contradict holds_
};

// HttpProbe asks one container over HTTP. Every code from 200 to 399 is a success.
class HttpProbe {
 public:
  // Create fails (kConfig) for a probe of another kind, and for a port's name that the container
  // does not have.
  static Result<std::unique_ptr<HttpProbe>> Create(const api::Probe& probe,
                                                   const api::Container& container,
                                                   const std::string& pod_ip);

  // Ask blocks until there is an answer, the probe's timeout has passed or `stop` is called for.
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

  // Begin is called when the container starts.
  void Begin(SteadyTime now);
  // Ask asks what is due; blocks as long as those probes may.
  void Ask(const Clock& clock, std::stop_token stop);

  bool IsStarted() const { return !startup_.counter || startup_.counter->holds(); }
  bool IsReady() const {
    return IsStarted() && (!readiness_.counter || readiness_.counter->holds());
  }
  // MustRestart: the container is to be killed.
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
