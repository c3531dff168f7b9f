// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "api/core.h"
#include "base/clock.h"
#include "client/client.h"
#include "client/event_recorder.h"
#include "client/informer.h"
#include "client/leader_election.h"
#include "engine/api_port.h"
#include "engine/api_writer.h"
#include "engine/checker.h"
#include "engine/config.h"
#include "engine/config_rollout.h"
#include "engine/debounced_count.h"
#include "engine/extender/object_texts.h"
#include "engine/heartbeat.h"
#include "engine/inbox.h"
#include "engine/informers.h"
#include "engine/metric_source/metric_sources.h"
#include "engine/metrics.h"
#include "engine/options.h"
#include "engine/watchdog.h"
#include "http/server/health.h"
#include "scheduler/scheduler.h"

namespace berth::engine {

// Engine runs the scheduling core as a process: it feeds the core from informers and sends its
// bindings. The thread that calls Run becomes the scheduling thread. It owns the core and all
// members that are not marked otherwise; the other threads post messages to it.
//
//   watch threads ──decoded objects──▶ mailbox ──▶ scheduling thread ──requests──▶ client
//                                        ▲                                            │
//                                        └──────────────── answers ───────────────────┘
//
// Scheduling starts when a configuration runs, the first lists of pods, nodes and the kinds that
// its plugins read have been applied, and this process holds the Lease: as the leader or, without
// leader election, as the only scheduler. A scheduler without leader election and without a
// ConfigMap holds no Lease unless EngineOptions::lease names one. No pod is tried while
// kMaxBindings Bind calls are in flight, so a decision never waits behind a long queue of unsent
// bindings; pods in Permit or PreBind do not count.
//
// The scheduling thread works in turns: it runs waiting messages for at most Inbox::kTime, then
// makes one attempt. A list of many objects takes many turns, so health checks, answers and
// attempts do not wait for its end.
class Engine : private ConfigHost {
 public:
  static constexpr size_t kMaxBindings = 128;

  // Creates an engine and checks the configuration file. Error (kConfig): the file is rejected,
  // there is no last good text, and no ConfigMap to wait for. Requires: client, registry, metrics
  // and clock outlive the engine.
  static Result<std::unique_ptr<Engine>> Create(client::Client& client,
                                                const scheduler::Registry& registry,
                                                MetricsRegistry& metrics, const Clock& clock,
                                                EngineOptions options);
  ~Engine() override;

  // Schedules until Stop is called or leadership is lost. Success: it was stopped. Bindings in
  // flight were awaited for at most ten seconds, status patches for at most two, and the Lease was
  // released. Error (kUnavailable): leadership was lost; the process has to end.
  Result<void> Run();

  // Makes Run return. Any thread.
  void Stop();

  // The checks of /readyz and /livez. Any thread may run them while the engine lives.
  std::vector<http::HealthCheck> ReadyChecks() const;
  std::vector<http::HealthCheck> LiveChecks() const;
  // The running configuration, for /configz. Any thread.
  std::string ConfigJson() const { return rollout_.Json(); }

 private:
  Engine(client::Client& client, const scheduler::Registry& registry, MetricsRegistry& metrics,
         const Clock& clock, EngineOptions options);

  // ConfigHost.
  Choice Choose(const std::optional<std::string>& newest,
                const std::optional<std::string>& last_good, const ConfigSource& source,
                std::string_view running_hash) override;
  bool IsServing() const override { return synced_; }
  void List(scheduler::ObjectKindSet kinds, TextNeeds texts) override;
  bool HasListed(scheduler::ObjectKindSet kinds) const override;
  std::optional<std::string> WhyNotListed(scheduler::ObjectKindSet kinds) const override;
  void Use(const LoadedConfig& config) override;
  void OnRollout() override { Report(); }

  // The steps of Run.
  void StartConfigMap();
  void StartScheduler(const api::KubeSchedulerConfiguration& config);
  void StartChecker();
  void StartLease(const api::KubeSchedulerConfiguration& config);
  void StartElection(const client::LeaderElectionOptions& options, const std::string& name);
  void StartHeartbeat(const client::LeaderElectionOptions& options);
  bool MayWrite() const;
  void Turn();
  void Work();
  bool CanSchedule() const;
  void Drain();
  void AwaitCalls(SteadyTime deadline);
  void StopThreads();
  void PublishStatistics();
  void CountPending();
  void OnStall(const Stall& stall);

  // Messages.
  void OnList();
  void OnConfigMap(const api::Change<api::ConfigMap>& change);
  void Record(const api::ObjectReference& about, scheduler::ObjectEvent event);
  void FetchPod(const client::StoreKey& key, Checker::Fetched done);

  size_t BindingsInFlight() const { return port_.BindingsInFlight() + extender_bindings_; }
  size_t CallsInFlight() const { return port_.InFlight() + extender_bindings_; }
  void UpdateSynced();
  void Report();
  std::string AbsentKinds() const;
  const scheduler::Snapshot* SnapshotIfAny() const;
  scheduler::PluginHandle HandleFor(const ConfigSource& source);
  Result<std::unique_ptr<scheduler::ExtenderPort>> MakeExtenderPort(const api::Extender& extender,
                                                                    const ConfigSource& source);

  client::Client& client_;
  const scheduler::Registry& registry_;
  const Clock& clock_;
  const EngineOptions options_;

  Inbox inbox_{clock_};
  const std::function<void(Inbox::Message)> post_ = [this](Inbox::Message message) {
    inbox_.Post(std::move(message));
  };
  http::ThreadTimer timer_;
  ReportBoard reports_;
  std::unique_ptr<client::LeasePort> lease_port_;
  std::unique_ptr<client::LeasePort> reporting_port_;
  // At most one of the two; declared before the writer, which asks it.
  std::unique_ptr<client::LeaderElection> election_;
  std::unique_ptr<Heartbeat> heartbeat_;
  ClientSender sender_;
  ApiWriter writer_;
  SchedulerMetrics metrics_;
  client::EventRecorder recorder_;
  scheduler::Vocabulary words_;  // declared before all holders of pods
  scheduler::PluginCalls calls_;
  scheduler::PluginCounts counts_;
  ApiServerPort port_;
  MetricSources metric_sources_;  // declared before the profiles, which hold its ports
  scheduler::PluginHandle handle_;
  KnownTexts texts_;
  size_t extender_bindings_ = 0;  // in flight
  std::stop_source stop_calls_;   // cancels calls of extenders, which block the scheduling thread

  ConfigRollout rollout_;
  std::unique_ptr<scheduler::Scheduler> scheduler_;
  bool stopping_ = false;
  bool lost_ = false;
  bool leading_ = false;
  bool more_ = false;       // the last turn tried a pod; there may be more, so do not sleep
  SteadyTime published_{};  // the time when the statistics were published last
  bool statistics_stale_ = false;
  DebouncedCount pending_pods_;

  // Read by health checks:
  std::atomic<bool> synced_ = false;
  std::atomic<bool> draining_ = false;
  std::atomic<SteadyTime> last_turn_{};

  // Threads; stopped by Run, destroyed first.
  std::unique_ptr<client::Informer<api::ConfigMap>> config_maps_;
  std::unique_ptr<client::Informer<api::ProfileRecord>> profiles_;
  std::unique_ptr<Informers> informers_;  // read by health checks once synced_ is true
  std::unique_ptr<Checker> checker_;      // reads the stores of the informers
  Watchdog watchdog_;
};

}  // namespace berth::engine
