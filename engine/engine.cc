// SPDX-License-Identifier: Apache-2.0
#include "engine/engine.h"

#include <algorithm>
#include <utility>

#include "api/outbound_address.h"
#include "base/log.h"
#include "base/random.h"
#include "engine/extender/http_extender.h"

namespace berth::engine {
namespace {

// How long a stop waits for bindings in flight: well below the 30 s grace period of a pod, so that
// the Lease is released, too. Status patches have less time, because the next leader writes them
// again.
constexpr std::chrono::seconds kDrainLimit{10};
constexpr std::chrono::seconds kStatusDrainLimit{2};
constexpr std::chrono::seconds kEventDrainLimit{2};
// A scheduling thread without a turn for this long hangs. An idle one wakes up earlier.
constexpr std::chrono::seconds kTurnLimit{60};
constexpr std::chrono::seconds kIdleTurn{10};
// How often the statistics of the core are published, however busy it is.
constexpr std::chrono::seconds kPublishEvery{1};

scheduler::QueueOptions QueueOptionsOf(const api::KubeSchedulerConfiguration& config,
                                       std::chrono::seconds max_unschedulable) {
  scheduler::QueueOptions options;
  options.initial_backoff = std::chrono::seconds(config.pod_initial_backoff_seconds);
  options.max_backoff = std::chrono::seconds(config.pod_max_backoff_seconds);
  options.max_in_unschedulable = max_unschedulable;
  return options;
}

}  // namespace

Result<std::unique_ptr<Engine>> Engine::Create(client::Client& client,
                                               const scheduler::Registry& registry,
                                               MetricsRegistry& metrics, const Clock& clock,
                                               EngineOptions options) {
  std::unique_ptr<Engine> engine(new Engine(client, registry, metrics, clock, std::move(options)));
  BERTH_TRY_VOID(engine->rollout_.LoadFile());
  return engine;
}

Engine::Engine(client::Client& client, const scheduler::Registry& registry,
               MetricsRegistry& metrics, const Clock& clock, EngineOptions options)
    : client_(client),
      registry_(registry),
      clock_(clock),
      options_(std::move(options)),
      sender_(client),
      writer_(sender_, {.may_write = [this] { return MayWrite(); }}),
      metrics_(metrics),
      recorder_(
          [this](client::ApiRequest request, client::Callback<std::string> done) {
            writer_.Send({.write_class = WriteClass::kEvent,
                          .request = std::move(request),
                          .done = std::move(done)});
          },
          {.host = options_.hostname,
           .max_in_flight = ApiWriterOptions{}.in_flight[WriteClass::kEvent],
           .dropped = &client::AddDroppedEvents(metrics)},
          clock_),
      port_(writer_, timer_,
            {.post = post_,
             .record = [this](const api::ObjectReference& about,
                              scheduler::ObjectEvent event) { Record(about, std::move(event)); },
             .random = UniformRandom()}),
      metric_sources_({.clock = clock_,
                       .metrics = metrics,
                       .file_of = api::FileOfSecret,
                       .pause = PauseFor,
                       .post = post_,
                       .snapshot = [this] { return SnapshotIfAny(); },
                       .on_errors = [this] { Report(); }}),
      handle_{clock_, port_, words_, &calls_, {}, &counts_},
      rollout_(*this, options_, metrics_, clock_),
      watchdog_(clock_, calls_, [this](const Stall& stall) { OnStall(stall); }) {}

Engine::~Engine() {
  StopThreads();
  writer_.Close();  // fails the requests that wait for their turn
}

Result<void> Engine::Run() {
  words_.HandOver();  // this thread takes over the words that Create interned
  watchdog_.Start();
  if (options_.config_map) StartConfigMap();
  rollout_.Start();
  while (!stopping_) Turn();
  draining_ = true;
  if (scheduler_ != nullptr && !lost_) Drain();
  StopThreads();
  // Includes events recorded while giving up leadership.
  recorder_.Flush(kEventDrainLimit);
  words_.HandOver();
  if (lost_) return Fail(Reason::kUnavailable, "leader election lost");
  return {};
}

void Engine::Stop() {
  stop_calls_.request_stop();
  inbox_.Post([this] { stopping_ = true; });
}

// Runs messages, makes one attempt, and sleeps if there is no work.
void Engine::Turn() {
  const SteadyTime now = clock_.Now();
  SteadyTime deadline = statistics_stale_ ? published_ + kPublishEvery : now + kIdleTurn;
  if (const auto step = rollout_.NextStep(now)) deadline = std::min(deadline, *step);
  if (scheduler_ != nullptr) {
    if (const auto wake_up = scheduler_->NextWakeUp()) deadline = std::min(deadline, *wake_up);
  }
  if (synced_) deadline = std::min(deadline, checker_->NextStep());
  inbox_.Take(deadline, /*may_sleep=*/!more_);
  const SteadyTime began = clock_.Now();
  watchdog_.Begin();
  Work();
  watchdog_.End();
  metrics_.OnTurn(clock_.Now() - began);
}

void Engine::Work() {
  inbox_.Run();
  last_turn_ = clock_.Now();
  rollout_.Step(last_turn_);
  if (scheduler_ == nullptr || stopping_) return;
  scheduler_->Tick();
  if (synced_) checker_->Step(last_turn_);
  more_ = CanSchedule() && scheduler_->ScheduleOne();
  statistics_stale_ = true;
  if (last_turn_.load() - published_ >= kPublishEvery) PublishStatistics();
}

bool Engine::CanSchedule() const {
  return !stopping_ && leading_ && synced_ && BindingsInFlight() < kMaxBindings;
}

void Engine::Drain() {
  const SteadyTime began = clock_.Now();
  AwaitCalls(began + kStatusDrainLimit);
  writer_.Discard(WriteClass::kStatus);
  AwaitCalls(began + kDrainLimit);
  if (CallsInFlight() > 0) {
    log::Warn("Stopped before all answers came", {{"calls", CallsInFlight()}});
  }
  recorder_.Flush(kEventDrainLimit);
}

void Engine::AwaitCalls(SteadyTime deadline) {
  while (CallsInFlight() > 0 && clock_.Now() < deadline) {
    inbox_.Take(deadline, /*may_sleep=*/true);
    inbox_.Run();
  }
}

void Engine::StopThreads() {
  if (informers_) informers_->Stop();
  if (config_maps_) config_maps_->Stop();
  if (profiles_) profiles_->Stop();
  if (heartbeat_) heartbeat_->Stop();
  if (election_) election_->Stop();
  watchdog_.Stop();
  inbox_.Close();
}

void Engine::StartConfigMap() {
  const ObjectName& map = *options_.config_map;
  config_maps_ = std::make_unique<client::Informer<api::ConfigMap>>(
      client_, client::ReflectorOptions{.ns = map.ns, .name = map.name}, clock_);
  config_maps_->Listen([this](const api::Change<api::ConfigMap>& change) {
    inbox_.Post([this, change] { OnConfigMap(change); });
  });
  config_maps_->WhenSynced([this, map] {
    inbox_.Post([this, map] {
      rollout_.ConsiderFile();
      if (!rollout_.running()) log::Warn("No configuration yet", {{"configMap", map.ToString()}});
    });
  });
  config_maps_->Start();
  if (!options_.profile) return;
  profiles_ = std::make_unique<client::Informer<api::ProfileRecord>>(
      client_, client::ReflectorOptions{.name = *options_.profile, .may_be_absent = true}, clock_);
  profiles_->Listen([this](const api::Change<api::ProfileRecord>& change) {
    inbox_.Post([this, profile = change.after] { rollout_.OnProfile(profile.get()); });
  });
  profiles_->WhenSynced([this] {
    const bool exists = profiles_->store().Get("", *options_.profile) != nullptr;
    if (!exists) inbox_.Post([this] { rollout_.OnProfile(nullptr); });
  });
  profiles_->Start();
}

// Creates the core for the first configuration, and its informers.
void Engine::StartScheduler(const api::KubeSchedulerConfiguration& config) {
  scheduler_ = std::make_unique<scheduler::Scheduler>(
      clock_, port_, words_, metrics_, QueueOptionsOf(config, options_.max_unschedulable));
  informers_ = std::make_unique<Informers>(Informers::Parts{.client = client_,
                                                            .clock = clock_,
                                                            .scheduler = *scheduler_,
                                                            .post = post_,
                                                            .texts = texts_,
                                                            .on_list = [this] { OnList(); }});
  StartChecker();
  StartLease(config);
}

void Engine::StartChecker() {
  checker_ = std::make_unique<Checker>(
      Checker::Parts{.scheduler = *scheduler_,
                     .pods = informers_->pods(),
                     .nodes = informers_->nodes(),
                     .post = post_,
                     .fetch = [this](const client::StoreKey& key,
                                     Checker::Fetched done) { FetchPod(key, std::move(done)); },
                     .repaired = [this](std::string_view kind) { metrics_.CountRepair(kind); }});
}

// Sends the request with the priority of bindings, because decisions depend on the answer.
void Engine::FetchPod(const client::StoreKey& key, Checker::Fetched done) {
  writer_.Send({.write_class = WriteClass::kBinding,
                .request = client::GetRequest(api::Pod::kResource, key.first, key.second),
                .done = [this, done = std::move(done)](const Result<std::string>& body) {
                  inbox_.Post([done, pod = body ? json::Decode<api::Pod>(*body)
                                                : Result<api::Pod>(Fail(body.error()))] {
                    done(pod ? std::make_shared<const api::Pod>(*pod) : nullptr);
                  });
                }});
}

void Engine::OnList() {
  rollout_.OnList();
  UpdateSynced();
  if (AbsentKinds() != reports_.Get().absent_kinds) Report();
}

std::string Engine::AbsentKinds() const {
  return informers_ ? informers_->Absent(rollout_.reads()) : "";
}

void Engine::UpdateSynced() {
  if (synced_ || !informers_->HasSynced(rollout_.reads()) || !informers_->HasTexts()) return;
  synced_ = true;
  log::Info("Synced pods and nodes", {{"nodes", scheduler_->cache().node_count()},
                                      {"pods", scheduler_->cache().pod_count()}});
  metric_sources_.Step();
  CountPending();
}

void Engine::StartLease(const api::KubeSchedulerConfiguration& config) {
  const api::LeaderElectionConfiguration& election = config.leader_election;
  if (!election.leader_elect && !options_.config_map && !options_.lease) {
    leading_ = true;
    return;
  }
  using std::chrono::duration_cast, std::chrono::milliseconds;
  const client::LeaderElectionOptions options{
      .ns = election.resource_namespace,
      .name = election.resource_name,
      .identity = options_.identity,
      .lease_duration = duration_cast<milliseconds>(election.lease_duration.length()),
      .renew_deadline = duration_cast<milliseconds>(election.renew_deadline.length()),
      .retry_period = duration_cast<milliseconds>(election.retry_period.length())};
  lease_port_ = std::make_unique<client::ClientLeasePort>(client_, options.ns, options.name);
  reporting_port_ = std::make_unique<ReportingLeasePort>(*lease_port_, reports_);
  if (election.leader_elect) {
    StartElection(options, *config.profiles.front().scheduler_name);
  } else {
    StartHeartbeat(options);
  }
}

void Engine::StartHeartbeat(const client::LeaderElectionOptions& options) {
  heartbeat_ = std::make_unique<Heartbeat>(
      options, *reporting_port_, reports_, clock_,
      [this](bool held) { inbox_.Post([this, held] { leading_ = held; }); });
  heartbeat_->Start();
}

void Engine::StartElection(const client::LeaderElectionOptions& options, const std::string& name) {
  election_ = std::make_unique<client::LeaderElection>(
      options, *reporting_port_, clock_,
      client::LeaderElection::Callbacks{
          .on_started = [this] { inbox_.Post([this] { leading_ = true; }); },
          .on_lost =
              [this] {
                stop_calls_.request_stop();
                inbox_.Post([this] {
                  leading_ = false;
                  lost_ = stopping_ = true;
                });
              },
          .on_holder =
              [](const std::string& holder) {
                log::Info("Saw leader", {{"holder", holder}});
              },
          .on_event =
              [this, name](const api::Lease& lease, const std::string& note) {
                recorder_.Record({.reason = "LeaderElection",
                                  .action = "LeaderElection",
                                  .note = note,
                                  .regarding = client::ReferenceTo(lease),
                                  .controller = name});
              }});
  election_->Start();
}

// Returns the nodes once their first list has been applied; null before, because a part of the
// nodes must not be taken for all of them.
const scheduler::Snapshot* Engine::SnapshotIfAny() const {
  return synced_ ? &scheduler_->cache() : nullptr;
}

scheduler::PluginHandle Engine::HandleFor(const ConfigSource& source) {
  scheduler::PluginHandle handle = handle_;
  handle.metrics = &metric_sources_.PortFor(source.is_rendered);
  return handle;
}

Result<std::unique_ptr<scheduler::ExtenderPort>> Engine::MakeExtenderPort(
    const api::Extender& extender, const ConfigSource& source) {
  BERTH_TRY(
      auto port,
      HttpExtender::Create(
          extender, {.is_rendered = source.is_rendered, .sidecar_ports = source.sidecar_ports},
          {.clock = clock_,
           .metrics = metrics_.registry(),
           .texts = texts_,
           .post = post_,
           .may_write = [this] { return MayWrite(); },
           // A turn that waits for an extender counts as hanging only after the call's timeout.
           .busy_until = [this](SteadyTime until) { last_turn_ = until; },
           .bindings = extender_bindings_,
           .stop = stop_calls_.get_token()}));
  return std::unique_ptr<scheduler::ExtenderPort>(std::move(port));
}

bool Engine::MayWrite() const {
  if (election_) return election_->MayWrite();
  return heartbeat_ == nullptr || heartbeat_->MayWrite();
}

void Engine::OnConfigMap(const api::Change<api::ConfigMap>& change) {
  if (change.type != api::ChangeType::kDeleted) return rollout_.OnConfigMap(*change.after);
  // Expected when the profile is deleted. Otherwise the operator writes the ConfigMap again.
  log::Info("ConfigMap was deleted, keeping the last configuration",
            {{"configMap", options_.config_map->ToString()}});
}

Choice Engine::Choose(const std::optional<std::string>& newest,
                      const std::optional<std::string>& last_good, const ConfigSource& source,
                      std::string_view running_hash) {
  return ChooseConfig(newest, last_good, source, running_hash, registry_, HandleFor(source),
                      [this](const api::Extender& extender, const ConfigSource& from) {
                        return MakeExtenderPort(extender, from);
                      });
}

void Engine::List(scheduler::ObjectKindSet kinds, TextNeeds texts) {
  informers_->List(kinds);
  informers_->KeepTexts(texts);
}

bool Engine::HasListed(scheduler::ObjectKindSet kinds) const {
  return informers_->HasSynced(kinds) && informers_->HasTexts();
}

std::optional<std::string> Engine::WhyNotListed(scheduler::ObjectKindSet kinds) const {
  return informers_->WhyNotSynced(kinds);
}

void Engine::Use(const LoadedConfig& config) {
  const TextNeeds needs = NeedsOf(config.config.extenders);
  if (scheduler_ == nullptr) {
    texts_.Need(needs);
    StartScheduler(config.config);
  }
  List(rollout_.reads(), needs);
  UpdateSynced();
  scheduler_->SetQueueOptions(QueueOptionsOf(config.config, options_.max_unschedulable));
  for (const std::string& name : scheduler_->SetProfiles(config.profiles)) {
    for (const auto& known : informers_->pods().List()) {
      if (known->waiting && known->waiting->spec.scheduler_name == name) {
        scheduler_->On(api::Added(known->waiting));
      }
    }
  }
}

// Publishes the report on the Lease.
void Engine::Report() {
  SchedulerReport report{.metric_sources = metric_sources_.Errors(),
                         .absent_kinds = AbsentKinds(),
                         .pending_pods = pending_pods_.reported()};
  rollout_.AddTo(report);
  reports_.Set(std::move(report));
  if (election_) election_->RenewNow();
}

void Engine::Record(const api::ObjectReference& about, scheduler::ObjectEvent event) {
  recorder_.Record({.kind = event.type == scheduler::EventType::kNormal
                                ? client::EventKind::kNormal
                                : client::EventKind::kWarning,
                    .reason = std::move(event.reason),
                    .action = std::move(event.action),
                    .note = std::move(event.note),
                    .regarding = about,
                    .controller = std::move(event.reporting_controller)});
}

void Engine::OnStall(const Stall& stall) {
  if (!stall.is_over) metrics_.CountStall(stall.plugin, stall.extension_point);
  log::Warn(stall.is_over ? "Scheduling thread recovered" : "Scheduling thread is blocked",
            {{"seconds", std::chrono::duration<double>(stall.length).count()},
             {"plugin", stall.plugin},
             {"extensionPoint", stall.extension_point}});
}

void Engine::PublishStatistics() {
  metric_sources_.Step();
  scheduler::SchedulerStatistics now = scheduler_->Statistics();
  now.failed_scores = counts_.failed_scores;
  metrics_.Publish(now);
  metrics_.Publish(writer_.Statistics());
  published_ = clock_.Now();
  if (synced_) CountPending();
  // A count that is not reported yet is published again.
  statistics_stale_ = !pending_pods_.IsReported();
}

void Engine::CountPending() {
  if (pending_pods_.Update(scheduler_->pending_count(), clock_.Now())) Report();
}

std::vector<http::HealthCheck> Engine::ReadyChecks() const {
  return {{"config",
           [this]() -> std::optional<std::string> {
             if (ConfigJson().empty()) return "no configuration yet";
             return std::nullopt;
           }},
          {"informer-sync",
           [this]() -> std::optional<std::string> {
             if (!synced_) return "handlers are not fully synchronized";
             return informers_->ErrorWith(rollout_.reads());
           }},
          {"shutdown", [this]() -> std::optional<std::string> {
             if (draining_) return "process is shutting down";
             return std::nullopt;
           }}};
}

std::vector<http::HealthCheck> Engine::LiveChecks() const {
  return {{"scheduling-thread", [this]() -> std::optional<std::string> {
             const SteadyTime last = last_turn_;
             if (last != SteadyTime{} && clock_.Now() - last > kTurnLimit)
               return "no turn for long";
             return std::nullopt;
           }}};
}

}  // namespace berth::engine
