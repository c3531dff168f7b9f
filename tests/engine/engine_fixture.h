// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <future>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "base/clock.h"
#include "base/metrics.h"
#include "engine/engine.h"
#include "scheduler/plugins/registry.h"
#include "tests/support/apiserver/in_memory_server.h"

namespace berth::engine {

// LeapingClock is the system's clock, which a test may put forward, the time of day as well.
class LeapingClock final : public Clock {
 public:
  SteadyTime Now() const override { return system_.Now() + leapt_.load(); }
  Time Wall() const override { return system_.Wall() + leapt_.load(); }
  void Leap(std::chrono::nanoseconds by) { leapt_ = leapt_.load() + by; }

 private:
  const SystemClock system_{};
  std::atomic<std::chrono::nanoseconds> leapt_{std::chrono::nanoseconds(0)};
};

// ScheduleFor are the lines of a configuration that serves these names, in front of others. It does
// not elect a leader, unless these say so.
inline constexpr std::string_view kAlone =
    "leaderElection: {leaderElect: false, resourceNamespace: default, resourceName: berth-hello}\n";
inline constexpr std::string_view kElected =
    "leaderElection: {leaderElect: true, resourceNamespace: default, resourceName: berth-hello,\n"
    "  leaseDuration: 15s, renewDeadline: 14s, retryPeriod: 500ms}\n";
std::string Config(const std::vector<std::string>& names = {"hello"},
                   std::string_view more = kAlone);
// ConfigOfPodsAndNodes has a profile whose plugins read nothing besides pods and nodes; `points` are
// more plugins, as a flow mapping has them.
std::string ConfigOfPodsAndNodes(const std::string& points = "");

// EngineTest runs an engine on a thread of its own, against the in-memory API server, whose
// requests can be made to go wrong (InMemoryServer::Inject). It follows the ConfigMap
// default/berth-hello and reports on the Lease of that name.
class EngineTest : public testing::Test {
 protected:
  // OtherEngine is a second process of the same scheduler, with another identity.
  class OtherEngine {
   public:
    OtherEngine(EngineTest& test, const std::string& identity, EngineOptions options = {});
    ~OtherEngine();

    std::string NotReady() const { return FirstError(engine_->ReadyChecks()); }
    // Attempts counts the pods it tried to place.
    double Attempts() const;
    double Figure(const std::string& series) const;

   private:
    MetricsRegistry metrics_;
    std::unique_ptr<Engine> engine_;
    std::future<Result<void>> ended_;
  };

  EngineTest();
  ~EngineTest() override;

  // Publish writes a configuration into the ConfigMap.
  void Publish(const std::string& config);
  // Start runs an engine with these options and, if it is not there yet, a ConfigMap with this
  // text; without one when it is empty.
  void Start(const std::string& config, EngineOptions options = {});
  // Stop asks the engine to end; Await gives what Run returned.
  void Stop() { engine_->Stop(); }
  Result<void> Await();

  // Without an address the node reports none.
  void AddNode(const std::string& name, const std::string& cpu, const std::string& address = "");
  void AddPod(const std::string& name, const std::string& cpu = "100m",
              const std::string& scheduler_name = "hello");
  // Wake lets the engine make a turn: it sleeps by a clock that does not leap.
  void Wake() { AddPod("unserved" + std::to_string(++wakes_), "0", "nobody"); }
  std::string NodeOf(const std::string& pod);
  // Refused counts pods whose condition says that they were refused.
  size_t Rejected();

  api::Lease Lease();
  // Reported is an annotation of the Lease; empty when it is not there.
  std::string Reported(std::string_view annotation);
  bool EventuallyReports(std::string_view annotation, const std::string& value);
  bool EventuallyOn(const std::string& pod, const std::string& node);
  // Shows says whether a line of the metrics is there; Figure gives its value.
  bool Shows(const std::string& line) const;
  double Figure(const std::string& series) const;
  // NotReady and NotLive are the first problem that health checks find; empty: none.
  std::string NotReady() const { return FirstError(engine_->ReadyChecks()); }
  std::string NotLive() const { return FirstError(engine_->LiveChecks()); }

  LeapingClock clock_;
  apiserver::InMemoryServer memory_;
  client::Client& admin_ = memory_.client();
  std::vector<scheduler::PluginDescriptor> more_plugins_;  // beside those that are shipped
  MetricsRegistry metrics_;
  std::unique_ptr<client::Client> client_;
  std::unique_ptr<Engine> engine_;

 private:
  static std::string FirstError(const std::vector<http::HealthCheck>& checks);

  int wakes_ = 0;
  std::unique_ptr<scheduler::Registry> registry_;
  std::future<Result<void>> ended_;
};

}  // namespace berth::engine
