// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "api/core.h"
#include "base/clock.h"
#include "base/mailbox.h"
#include "client/client.h"
#include "client/event_recorder.h"
#include "client/informer.h"
#include "client/leader_election.h"
#include "engine/api_port.h"
#include "engine/api_writer.h"
#include "engine/checker.h"
#include "engine/config.h"
#include "engine/debounced_count.h"
#include "engine/extender/object_texts.h"
#include "engine/heartbeat.h"
#include "engine/informers.h"
#include "engine/metric_source/metric_sources.h"
#include "engine/metrics.h"
#include "engine/watchdog.h"
#include "http/server/health.h"
#include "scheduler/scheduler.h"

namespace berth::engine {

// ObjectName is NAMESPACE/NAME.
struct ObjectName {
  std::string ns;
  std::string name;
  std::string ToString() const { return ns + "/" + name; }
};

struct EngineOptions {
  std::string hostname;  // in events and in the Lease
  std::string identity;  // unique to this process: "<hostname>_<uuid>"
  // Where the configuration came from that the engine starts with, for messages.
  std::string config_source;
  std::optional<std::string> config_text;     // of the file; absent: only the ConfigMap has it
  std::optional<std::string> last_good_text;  // beside that file
  std::optional<ObjectName> config_map;       // watched for newer ones
  // The ConfigMap is waited for so long before the file serves: what was mounted when the pod
  // started may be older, and some settings would then wait for another restart.
  std::chrono::milliseconds config_map_wait{5000};
  api::SidecarPorts sidecar_ports;              // that the configuration's extenders may be at
  std::optional<ObjectName> lease;              // absent: that of the configuration
  std::optional<bool> leader_elect;             // absent: as the configuration says
  std::chrono::seconds max_unschedulable{300};  // a pod lies in the unschedulable part no longer
};

// Engine runs the scheduling core as a process: informers in, bindings out. The thread that calls
// Run becomes the scheduling thread, which owns the core and all that is said below to be its own;
// everything else reaches it through the mailbox.
//
//   watch threads ──decoded objects──▶ mailbox ──▶ scheduling thread ──requests──▶ client
//                                        ▲                                            │
//                                        └──────────────── answers ───────────────────┘
//
// Scheduling begins when a configuration runs, the first lists of pods, nodes and what else its
// plugins read were applied, and we hold the Lease: as the leader, or, without election, as the
// only one. A scheduler that neither elects nor follows a ConfigMap holds none, unless it was given
// one: nobody else is to know of it. While kMaxBindings calls to bind are under way no pod is
// tried, so that a decision never stands on a long queue of unsent ones; pods that wait in Permit
// or PreBind do not count.
//
// A newer configuration whose plugins read a kind that is not listed yet waits for its first list,
// and the one before goes on; which kind cannot be listed, and why, is reported on the Lease.
class Engine {
 public:
  static constexpr size_t kMaxBindings = 128;

  // Create checks the configuration. Errors (kConfig): it is refused, and there is no good one to
  // fall back to. Requires: client, registry, metrics and clock outlive the engine.
  static Result<std::unique_ptr<Engine>> Create(client::Client& client,
                                                const scheduler::Registry& registry,
                                                MetricsRegistry& metrics, const Clock& clock,
                                                EngineOptions options);
  ~Engine();

  // Run schedules until Stop is called or leadership is lost. Success: stopped; bindings in flight
  // were waited for, at most ten seconds, status patches at most two, and the Lease was given back.
  // Error (kUnavailable): leadership was lost; end the process.
  Result<void> Run();

  // Stop makes Run return. Any thread.
  void Stop();

  // ReadyChecks and LiveChecks are for /readyz and /livez; any thread may run them while the engine
  // lives.
  std::vector<http::HealthCheck> ReadyChecks() const;
  std::vector<http::HealthCheck> LiveChecks() const;
  // ConfigJson is the configuration that runs, for /configz. Any thread.
  std::string ConfigJson() const;

 private:
  Engine(client::Client& client, const scheduler::Registry& registry, MetricsRegistry& metrics,
         const Clock& clock, EngineOptions options);

  using Message = std::function<void()>;  // work for the scheduling thread

  // The steps of Run.
  Result<void> LoadFirstConfig();
  void StartConfigMap();
  void ConsiderFile();
  void StartScheduler();
  void StartChecker();
  void StartLease();
  void StartElection(const client::LeaderElectionOptions& options);
  void StartHeartbeat(const client::LeaderElectionOptions& options);
  bool MayWrite() const;
  void Turn();
  void Work(const std::vector<Message>& messages);
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
  void Apply(LoadedConfig config);
  void Record(const api::ObjectReference& about, scheduler::ObjectEvent event);
  void FetchPod(const client::StoreKey& key, Checker::Fetched done);

  void Consider(Choice choice);
  void Take(LoadedConfig config);
  void CheckWaiting();
  size_t BindingsInFlight() const { return port_.BindingsInFlight() + extender_bindings_; }
  size_t CallsInFlight() const { return port_.InFlight() + extender_bindings_; }
  bool IsReadyFor(const LoadedConfig& config) const;
  void TakeOver(LoadedConfig config);
  void UpdateSynced();
  void Report();
  scheduler::ObjectKindSet Reads() const;
  std::string AbsentKinds() const;
  void LogApplied() const;
  const scheduler::Snapshot* SnapshotIfAny() const;
  scheduler::PluginHandle HandleFor(const ConfigSource& source);
  MakeExtender ExtenderMaker();
  Result<std::unique_ptr<scheduler::ExtenderPort>> MakeExtenderPort(const api::Extender& extender,
                                                                    const ConfigSource& source);

  client::Client& client_;
  const scheduler::Registry& registry_;
  const Clock& clock_;
  const EngineOptions options_;

  Mailbox<Message> mailbox_;
  http::ThreadTimer timer_;
  ReportBoard reports_;
  std::unique_ptr<client::LeasePort> lease_port_;
  std::unique_ptr<client::LeasePort> reporting_port_;
  // One of them at most; before the writer, which asks it.
  std::unique_ptr<client::LeaderElection> election_;
  std::unique_ptr<Heartbeat> heartbeat_;
  ClientSender sender_;
  ApiWriter writer_;
  SchedulerMetrics metrics_;
  client::EventRecorder recorder_;
  scheduler::Vocabulary words_;  // before all that may hold pods
  scheduler::PluginCalls calls_;
  scheduler::PluginCounts counts_;
  ApiServerPort port_;
  MetricSources metric_sources_;  // before the profiles, which hold what it gives
  scheduler::PluginHandle handle_;
  KnownTexts texts_;
  size_t extender_bindings_ = 0;  // under way; of the scheduling thread
  std::stop_source stop_calls_;   // of extenders, for which the scheduling thread waits

  // Of the scheduling thread:
  std::optional<Choice> first_;         // what the file offers, until it or another is considered
  SteadyTime file_from_{};              // when it serves although no ConfigMap was heard of
  std::optional<LoadedConfig> config_;  // with the settings of `started_` in place of its own
  std::optional<api::KubeSchedulerConfiguration> started_;  // the first configuration
  std::string needs_restart_;  // settings of the newest that differ from it; empty: none
  std::string rejection_;      // why the newest text was refused; empty: it was not
  std::string rejected_hash_;  // of that text
  // A configuration whose plugins read a kind of which the first list has not come; until then the
  // one before goes on. And why the list does not come, if that is known.
  std::optional<LoadedConfig> waiting_;
  std::optional<std::string> why_waiting_;
  std::unique_ptr<scheduler::Scheduler> scheduler_;
  bool stopping_ = false;
  bool lost_ = false;
  bool leading_ = false;
  bool more_ = false;       // the last turn tried a pod; there may be another: do not sleep
  SteadyTime published_{};  // when the statistics were, last
  bool statistics_stale_ = false;
  DebouncedCount pending_pods_;

  // Read by health checks:
  std::atomic<bool> synced_ = false;
  std::atomic<bool> draining_ = false;
  std::atomic<SteadyTime> last_turn_{};
  mutable std::mutex config_mutex_;
  std::string config_json_;         // guarded by config_mutex_
  scheduler::ObjectKindSet reads_;  // of what runs; guarded by config_mutex_

  // Threads; stopped in Run, destroyed first.
  std::unique_ptr<client::Informer<api::ConfigMap>> config_maps_;
  std::unique_ptr<Informers> informers_;  // read by health checks once synced_ is true
  std::unique_ptr<Checker> checker_;      // reads their stores
  Watchdog watchdog_;
};

}  // namespace berth::engine
