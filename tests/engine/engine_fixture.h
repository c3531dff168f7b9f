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

// LeapingClock is the system clock with an offset that a test can increase, for the time of day
// too.
class LeapingClock final : public Clock {
 public:
  SteadyTime Now() const override { return system_.Now() + leapt_.load(); }
  Time Wall() const override { return system_.Wall() + leapt_.load(); }
  void Leap(std::chrono::nanoseconds by) { leapt_ = leapt_.load() + by; }

 private:
  const SystemClock system_{};
  std::atomic<std::chrono::nanoseconds> leapt_{std::chrono::nanoseconds(0)};
};

// Config lines that serve these names, with other lines in front. Leader election is off unless the
// other lines enable it.
inline constexpr std::string_view kUnique =
    "leaderElection: {leaderElect: false, resourceNamespace: default, resourceName: berth-hello}\n";
inline constexpr std::string_view kElected =
    "leaderElection: {leaderElect: true, resourceNamespace: default, resourceName: berth-hello,\n"
    "  leaseDuration: 15s, renewDeadline: 14s, retryPeriod: 500ms}\n";
std::string Config(const std::vector<std::string>& names = {"hello"},
                   std::string_view more = kUnique);
// Returns a configuration with one profile. Its plugins read only pods and nodes; `points` are more
// plugins, as a YAML flow mapping.
std::string ConfigOfPodsAndNodes(const std::string& points = "");

// EngineTest runs an engine on its own thread, against the in-memory API server with injected
// faults (InMemoryServer::Inject). It follows the ConfigMap default/berth-hello and reports on the
// Lease of that name.
class EngineTest : public testing::Test {
 protected:
  // OtherEngine is a second process of the same scheduler, with another identity.
  class OtherEngine {
   public:
    OtherEngine(EngineTest& test, const std::string& identity, EngineOptions options = {});
    ~OtherEngine();

    std::string NotReady() const { return FirstError(engine_->ReadyChecks()); }
    // Returns the number of scheduling attempts.
    double Attempts() const;
    double Figure(const std::string& series) const;

   private:
    MetricsRegistry metrics_;
    std::unique_ptr<Engine> engine_;
    std::future<Result<void>> ended_;
  };

  EngineTest();
  ~EngineTest() override;

  // Writes a configuration into the ConfigMap.
  void Publish(const std::string& config);
  // Runs an engine with these options. Creates the ConfigMap with this text if it does not exist;
  // no ConfigMap if the text is empty.
  void Start(const std::string& config, EngineOptions options = {});
  // Stop asks the engine to stop; Await returns the result of Run.
  void Stop() { engine_->Stop(); }
  Result<void> Await();

  // Without an address the node reports none.
  void AddNode(const std::string& name, const std::string& cpu, const std::string& address = "");
  void AddPod(const std::string& name, const std::string& cpu = "100m",
              const std::string& scheduler_name = "hello");
  // Triggers a turn of the engine, because its sleep ignores the leaps of the clock.
  void Wake() { AddPod("unserved" + std::to_string(++wakes_), "0", "nobody"); }
  std::string NodeOf(const std::string& pod);
  // Returns the number of pods with a condition that reports a rejection.
  size_t Rejected();

  api::Lease Lease();
  // Returns an annotation of the Lease; empty if it is absent.
  std::string Reported(std::string_view annotation);
  bool EventuallyReports(std::string_view annotation, const std::string& value);
  bool EventuallyOn(const std::string& pod, const std::string& node);
  // Shows reports whether the metrics contain a line; Figure returns its value.
  bool Shows(const std::string& line) const;
  double Figure(const std::string& series) const;
  // Return the first error of the health checks; empty if all succeed.
  std::string NotReady() const { return FirstError(engine_->ReadyChecks()); }
  std::string NotLive() const { return FirstError(engine_->LiveChecks()); }

  LeapingClock clock_;
  apiserver::InMemoryServer memory_;
  client::Client& admin_ = memory_.client();
  std::vector<scheduler::PluginDescriptor> more_plugins_;  // in addition to the shipped ones
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
