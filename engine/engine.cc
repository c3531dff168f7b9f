// SPDX-License-Identifier: Apache-2.0
#include "engine/engine.h"

#include "api/outbound_address.h"
#include "api/scheduler_contract.h"
#include "base/log.h"
#include "base/random.h"
#include "base/strings.h"
#include "engine/extender/http_extender.h"
#include "engine/settings.h"

namespace berth::engine {
namespace {

// How long a stop waits for bindings in flight: well within the 30 s that Kubernetes gives a pod to
// end, so that the lease is released, too. Status patches, which the next leader writes as well,
// have less time.
constexpr std::chrono::seconds kDrainLimit{10};
constexpr std::chrono::seconds kStatusDrainLimit{2};
constexpr std::chrono::seconds kEventDrainLimit{2};
// A scheduling thread that has made no turn for so long hangs. An idle one is woken earlier.
constexpr std::chrono::seconds kTurnLimit{60};
constexpr std::chrono::seconds kIdleTurn{10};
// The figures of the core are shown so often, however busy it is.
constexpr std::chrono::seconds kPublishEvery{1};
// So often it is looked at why a configuration that waits for a list does so.
constexpr std::chrono::seconds kCheckWaitingEvery{1};

scheduler::QueueOptions QueueOptionsOf(const api::KubeSchedulerConfiguration& config,
                                       std::chrono::seconds max_unschedulable) {
  scheduler::QueueOptions options;
  options.initial_backoff = std::chrono::seconds(config.pod_initial_backoff_seconds);
  options.max_backoff = std::chrono::seconds(config.pod_max_backoff_seconds);
  options.max_in_unschedulable = max_unschedulable;
  return options;
}

std::optional<std::string> Find(const api::StringMap& map, std::string_view key) {
  const auto found = map.find(std::string(key));
  if (found == map.end()) return std::nullopt;
  return found->second;
}

bool IsRendered(const EngineOptions& options) {
  return options.config_map || options.config_source.starts_with(api::kMountedFolder);
}

}  // namespace

Result<std::unique_ptr<Engine>> Engine::Create(client::Client& client,
                                               const scheduler::Registry& registry,
                                               MetricsRegistry& metrics, const Clock& clock,
                                               EngineOptions options) {
  std::unique_ptr<Engine> engine(new Engine(client, registry, metrics, clock, std::move(options)));
  BERTH_TRY_VOID(engine->LoadFirstConfig());
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
            {.post = [this](Message message) { mailbox_.Post(std::move(message)); },
             .record = [this](const api::ObjectReference& about,
                              scheduler::ObjectEvent event) { Record(about, std::move(event)); },
             .random = UniformRandom()}),
      metric_sources_({.clock = clock_,
                       .metrics = metrics,
                       .file_of = api::FileOfSecret,
                       .pause = PauseFor,
                       .post = [this](Message message) { mailbox_.Post(std::move(message)); },
                       .snapshot = [this] { return SnapshotIfAny(); },
                       .on_errors = [this] { Report(); }}),
      handle_{clock_, port_, words_, &calls_, {}, &counts_},
      watchdog_(clock_, calls_, [this](const Stall& stall) { OnStall(stall); }) {}

Engine::~Engine() {
  StopThreads();
  writer_.Close();  // so that nobody waits for a turn that may not come
}

// LoadFirstConfig takes the file, or what was good before; with a ConfigMap to come, a start
// without either is no mistake.
Result<void> Engine::LoadFirstConfig() {
  if (!options_.config_text) return {};
  // With a ConfigMap to follow, the file is that ConfigMap as the operator mounted it.
  const ConfigSource source{options_.config_source, IsRendered(options_), options_.sidecar_ports};
  first_ = ChooseConfig(options_.config_text, options_.last_good_text, source, "", registry_,
                        HandleFor(source), ExtenderMaker());
  if (!first_->config && !options_.config_map) return ConfigError(first_->error);
  return {};
}

Result<void> Engine::Run() {
  words_.HandOver();  // what Create interned, this thread owns from here on
  watchdog_.Start();
  file_from_ = clock_.Now() + options_.config_map_wait;
  if (options_.config_map) {
    StartConfigMap();
  } else {
    ConsiderFile();
  }
  while (!stopping_) Turn();
  draining_ = true;
  if (scheduler_ != nullptr && !lost_) Drain();
  StopThreads();
  // Also what the end of leading gave cause for.
  recorder_.Flush(kEventDrainLimit);
  words_.HandOver();
  if (lost_) return Fail(Reason::kUnavailable, "leader election lost");
  return {};
}

void Engine::Stop() {
  stop_calls_.request_stop();
  mailbox_.Post([this] { stopping_ = true; });
}

// ConsiderFile takes the mounted file where the ConfigMap has not said anything by now.
void Engine::ConsiderFile() {
  if (first_) Consider(*std::exchange(first_, std::nullopt));
}

// Turn applies what arrived, makes one attempt, and sleeps when there is nothing to do.
void Engine::Turn() {
  const SteadyTime now = clock_.Now();
  SteadyTime deadline = statistics_stale_ ? published_ + kPublishEvery : now + kIdleTurn;
  if (first_) deadline = std::min(deadline, file_from_);
  if (waiting_) deadline = std::min(deadline, now + kCheckWaitingEvery);
  if (scheduler_ != nullptr) {
    if (const auto wake_up = scheduler_->NextWakeUp()) deadline = std::min(deadline, *wake_up);
  }
  if (synced_) deadline = std::min(deadline, checker_->NextStep());
  const std::vector<Message> messages = more_ ? mailbox_.TryTake() : mailbox_.Take(deadline);
  watchdog_.Begin();
  Work(messages);
  watchdog_.End();
}

void Engine::Work(const std::vector<Message>& messages) {
  for (const Message& message : messages) message();
  last_turn_ = clock_.Now();
  if (last_turn_.load() >= file_from_) ConsiderFile();
  if (waiting_) CheckWaiting();
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
    for (const Message& message : mailbox_.Take(deadline)) message();
  }
}

void Engine::StopThreads() {
  if (informers_) informers_->Stop();
  if (config_maps_) config_maps_->Stop();
  if (heartbeat_) heartbeat_->Stop();
  if (election_) election_->Stop();
  watchdog_.Stop();
  mailbox_.Close();
}

void Engine::StartConfigMap() {
  const ObjectName& map = *options_.config_map;
  config_maps_ = std::make_unique<client::Informer<api::ConfigMap>>(
      client_, client::ReflectorOptions{.ns = map.ns, .name = map.name}, clock_);
  config_maps_->Listen([this](const api::Change<api::ConfigMap>& change) {
    mailbox_.Post([this, change] { OnConfigMap(change); });
  });
  config_maps_->WhenSynced([this, map] {
    mailbox_.Post([this, map] {
      ConsiderFile();
      if (!config_) log::Warn("No configuration yet", {{"configMap", map.ToString()}});
    });
  });
  config_maps_->Start();
}

// StartScheduler makes the core for the first configuration and fills it.
void Engine::StartScheduler() {
  scheduler_ = std::make_unique<scheduler::Scheduler>(
      clock_, port_, words_, metrics_, QueueOptionsOf(config_->config, options_.max_unschedulable));
  informers_ = std::make_unique<Informers>(
      Informers::Parts{.client = client_,
                       .clock = clock_,
                       .scheduler = *scheduler_,
                       .post = [this](Message message) { mailbox_.Post(std::move(message)); },
                       .texts = texts_,
                       .on_list = [this] { OnList(); }});
  StartChecker();
  StartLease();
}

void Engine::StartChecker() {
  checker_ = std::make_unique<Checker>(
      Checker::Parts{.scheduler = *scheduler_,
                     .pods = informers_->pods(),
                     .nodes = informers_->nodes(),
                     .post = [this](Message message) { mailbox_.Post(std::move(message)); },
                     .fetch = [this](const client::StoreKey& key,
                                     Checker::Fetched done) { FetchPod(key, std::move(done)); },
                     .repaired = [this](std::string_view kind) { metrics_.CountRepair(kind); }});
}

// FetchPod asks before all that is to be written: what the scheduler decides stands on the answer.
void Engine::FetchPod(const client::StoreKey& key, Checker::Fetched done) {
  writer_.Send({.write_class = WriteClass::kBinding,
                .request = client::GetRequest(api::Pod::kResource, key.first, key.second),
                .done = [this, done = std::move(done)](const Result<std::string>& body) {
                  mailbox_.Post([done, pod = body ? json::Decode<api::Pod>(*body)
                                                  : Result<api::Pod>(Fail(body.error()))] {
                    done(pod ? std::make_shared<const api::Pod>(*pod) : nullptr);
                  });
                }});
}

// OnList may be what scheduling, or a configuration, waits for.
void Engine::OnList() {
  if (waiting_ && IsReadyFor(*waiting_)) {
    Apply(*std::exchange(waiting_, std::nullopt));
    Report();
  }
  UpdateSynced();
  if (AbsentKinds() != reports_.Get().absent_kinds) Report();
}

std::string Engine::AbsentKinds() const { return informers_ ? informers_->Absent(Reads()) : ""; }

void Engine::UpdateSynced() {
  if (synced_ || !informers_->HasSynced(Reads()) || !informers_->HasTexts()) return;
  synced_ = true;
  log::Info("Synced pods and nodes", {{"nodes", scheduler_->cache().node_count()},
                                      {"pods", scheduler_->cache().pod_count()}});
  metric_sources_.Step();
  CountPending();
}

void Engine::StartLease() {
  const api::LeaderElectionConfiguration& election = config_->config.leader_election;
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
    StartElection(options);
  } else {
    StartHeartbeat(options);
  }
}

void Engine::StartHeartbeat(const client::LeaderElectionOptions& options) {
  heartbeat_ = std::make_unique<Heartbeat>(
      options, *reporting_port_, reports_, clock_,
      [this](bool held) { mailbox_.Post([this, held] { leading_ = held; }); });
  heartbeat_->Start();
}

void Engine::StartElection(const client::LeaderElectionOptions& options) {
  election_ = std::make_unique<client::LeaderElection>(
      options, *reporting_port_, clock_,
      client::LeaderElection::Callbacks{
          .on_started = [this] { mailbox_.Post([this] { leading_ = true; }); },
          .on_lost =
              [this] {
                stop_calls_.request_stop();
                mailbox_.Post([this] {
                  leading_ = false;
                  lost_ = stopping_ = true;
                });
              },
          .on_holder =
              [](const std::string& holder) {
                log::Info("Saw leader", {{"holder", holder}});
              },
          .on_event =
              [this, name = *config_->config.profiles.front().scheduler_name](
                  const api::Lease& lease, const std::string& note) {
                recorder_.Record({.reason = "LeaderElection",
                                  .action = "LeaderElection",
                                  .note = note,
                                  .regarding = client::ReferenceTo(lease),
                                  .controller = name});
              }});
  election_->Start();
}

// SnapshotIfAny is the nodes once their first list was applied: figures of some of them would be no
// answer about all.
const scheduler::Snapshot* Engine::SnapshotIfAny() const {
  return synced_ ? &scheduler_->cache() : nullptr;
}

scheduler::PluginHandle Engine::HandleFor(const ConfigSource& source) {
  scheduler::PluginHandle handle = handle_;
  handle.metrics = &metric_sources_.PortFor(source.is_rendered);
  return handle;
}

MakeExtender Engine::ExtenderMaker() {
  return [this](const api::Extender& extender, const ConfigSource& source) {
    return MakeExtenderPort(extender, source);
  };
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
           .post = [this](Message message) { mailbox_.Post(std::move(message)); },
           .may_write = [this] { return MayWrite(); },
           // A turn that waits for an extender is no hanging one until its time is over.
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
  const ConfigSource source{"ConfigMap " + options_.config_map->ToString(), /*is_rendered=*/true,
                            options_.sidecar_ports};
  if (change.type == api::ChangeType::kDeleted) {
    log::Warn("ConfigMap was deleted, its last configuration stays", {{"configMap", source.name}});
    return;
  }
  const api::StringMap& data = change.after->data;
  Consider(ChooseConfig(Find(data, api::kConfigKey), Find(data, api::kLastGoodKey), source,
                        config_ ? config_->hash : "", registry_, HandleFor(source),
                        ExtenderMaker()));
  if (config_) first_.reset();
}

// Consider takes a choice up and reports on it.
void Engine::Consider(Choice choice) {
  rejection_ = std::move(choice.error);
  rejected_hash_ = std::move(choice.rejected_hash);
  if (!rejection_.empty()) {
    log::Error("Configuration refused", {{"err", rejection_}});
    metrics_.CountReload(SchedulerMetrics::Reload::kRejected);
  }
  if (choice.config) {
    Take(std::move(*choice.config));
  } else if (waiting_ && rejection_.empty()) {  // what runs is what is wanted again
    waiting_.reset();
    informers_->List(Reads());
    informers_->KeepTexts(NeedsOf(config_->config.extenders));
  }
  Report();
}

// Take applies a configuration, at once if nothing serves yet, and otherwise as soon as all that its
// plugins read is there. It goes before one that waits.
void Engine::Take(LoadedConfig config) {
  waiting_.reset();
  why_waiting_.reset();
  if (!synced_) return Apply(std::move(config));
  const scheduler::ObjectKindSet reads = scheduler::ReadsOf(config.profiles);
  scheduler::ObjectKindSet listed = Reads();
  listed.Add(reads);
  informers_->List(listed);
  informers_->KeepTexts(Both(NeedsOf(config_->config.extenders), NeedsOf(config.config.extenders)));
  if (IsReadyFor(config)) return Apply(std::move(config));
  log::Info("Configuration waits for first lists", {{"hash", config.hash}});
  waiting_ = std::move(config);
}

bool Engine::IsReadyFor(const LoadedConfig& config) const {
  return informers_->HasSynced(scheduler::ReadsOf(config.profiles)) && informers_->HasTexts();
}

void Engine::CheckWaiting() {
  auto why = informers_->WhyNotSynced(scheduler::ReadsOf(waiting_->profiles));
  if (why == why_waiting_) return;
  why_waiting_ = std::move(why);
  Report();
}

// Report says what became of the newest configuration, and how many pods wait. A configuration that
// waits is as good as refused while its lists fail.
void Engine::Report() {
  SchedulerReport report{.applied_hash = config_ ? config_->hash : "",
                         .needs_restart = needs_restart_,
                         .error = rejection_,
                         .rejected_hash = rejected_hash_,
                         .metric_sources = metric_sources_.Errors(),
                         .absent_kinds = AbsentKinds(),
                         .pending_pods = pending_pods_.told()};
  if (rejection_.empty() && waiting_ && why_waiting_) {
    report.error = *why_waiting_;
    report.rejected_hash = waiting_->hash;
  }
  reports_.Set(std::move(report));
  if (election_) election_->RenewNow();
}

// TakeOver makes `config_` what runs from now on: flags go before the configuration, and what is
// read at the start stays as it was then.
void Engine::TakeOver(LoadedConfig config) {
  api::KubeSchedulerConfiguration& wanted = config.config;
  api::LeaderElectionConfiguration& election = wanted.leader_election;
  if (options_.leader_elect) election.leader_elect = *options_.leader_elect;
  if (options_.lease) {
    election.resource_namespace = options_.lease->ns;
    election.resource_name = options_.lease->name;
  }
  if (!started_) started_ = wanted;
  needs_restart_ = Join(NeedsRestart(*started_, wanted), "; ");
  KeepFromStart(wanted, *started_);
  config_ = std::move(config);
  const std::lock_guard lock(config_mutex_);
  config_json_ = json::Encode(config_->config);
  reads_ = scheduler::ReadsOf(config_->profiles);
}

void Engine::Apply(LoadedConfig config) {
  TakeOver(std::move(config));
  const TextNeeds needs = NeedsOf(config_->config.extenders);
  if (scheduler_ == nullptr) {
    texts_.Need(needs);
    StartScheduler();
  }
  informers_->List(Reads());
  informers_->KeepTexts(needs);
  UpdateSynced();
  scheduler_->SetQueueOptions(QueueOptionsOf(config_->config, options_.max_unschedulable));
  for (const std::string& name : scheduler_->SetProfiles(config_->profiles)) {
    for (const auto& known : informers_->pods().List()) {
      if (known->waiting && known->waiting->spec.scheduler_name == name) {
        scheduler_->On(api::Added(known->waiting));
      }
    }
  }
  metrics_.CountReload(needs_restart_.empty() ? SchedulerMetrics::Reload::kApplied
                                              : SchedulerMetrics::Reload::kNeedsRestart);
  metrics_.SetConfig(config_->hash);
  LogApplied();
}

void Engine::LogApplied() const {
  std::vector<std::string> names;
  for (const auto& [name, profile] : config_->profiles) names.push_back(name);
  log::Info("Applied configuration",
            {{"hash", config_->hash}, {"schedulerNames", Join(names, ",")}});
  for (const std::string& setting : WithoutEffect(config_->config)) {
    log::Warn("Setting has no effect", {{"setting", setting}});
  }
  if (needs_restart_.empty()) return;
  log::Warn("Settings take effect only after a restart", {{"settings", needs_restart_}});
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
  log::Warn(stall.is_over ? "Scheduling thread goes on" : "Scheduling thread is held up",
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
  // A count that is not told yet is looked at again.
  statistics_stale_ = !pending_pods_.IsSettled();
}

void Engine::CountPending() {
  if (pending_pods_.Take(scheduler_->pending_count(), clock_.Now())) Report();
}

std::vector<http::HealthCheck> Engine::ReadyChecks() const {
  return {{"config",
           [this]() -> std::optional<std::string> {
             const std::lock_guard lock(config_mutex_);
             if (config_json_.empty()) return "no configuration yet";
             return std::nullopt;
           }},
          {"informer-sync",
           [this]() -> std::optional<std::string> {
             if (!synced_) return "handlers are not fully synchronized";
             return informers_->ErrorWith(Reads());
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

scheduler::ObjectKindSet Engine::Reads() const {
  const std::lock_guard lock(config_mutex_);
  return reads_;
}

std::string Engine::ConfigJson() const {
  const std::lock_guard lock(config_mutex_);
  return config_json_;
}

}  // namespace berth::engine
