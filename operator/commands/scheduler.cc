// SPDX-License-Identifier: Apache-2.0
#include <filesystem>
#include <thread>

#include "api/scheduler_config.h"
#include "api/scheduler_contract.h"
#include "api/scheduler_flags.h"
#include "base/file.h"
#include "base/log.h"
#include "base/metrics.h"
#include "base/strings.h"
#include "client/kubeconfig.h"
#include "crds/names.h"
#include "engine/engine.h"
#include "http/server/server.h"
#include "operator/commands/command.h"
#include "operator/commands/ports.h"
#include "operator/commands/signals.h"
#include "operator/process.h"
#include "scheduler/plugins/registry.h"

namespace berth::operator_ {
namespace {

struct SchedulerFlags {
  std::string config;
  std::string config_map;
  std::string kubeconfig;
  std::string lease;
  std::optional<bool> leader_elect;
  std::string bind_address = "127.0.0.1";
  uint16_t secure_port = 10259;
  std::vector<std::string> sidecar_ports;
  int max_unschedulable_seconds = 300;
  LogFlags log{.verbosity = 2};
};

constexpr const char* kSchedulerHelp =
    "Run a scheduler for the pods with its scheduler name.\n\n"
    "The configuration is a KubeSchedulerConfiguration (kubescheduler.config.k8s.io/v1) from\n"
    "the file of --config, the ConfigMap of --config-map, or both. With both, the ConfigMap\n"
    "takes precedence, and the file is used while the API server is unreachable. A change of\n"
    "the ConfigMap is applied between two scheduling cycles. If the new configuration is\n"
    "rejected, the last good one stays in effect. Of a ConfigMap berth-PROFILE only texts are\n"
    "used that the operator rendered, according to the status of the SchedulerProfile; all are\n"
    "used while the profile is paused or does not exist.";

Result<engine::ObjectName> ParseObjectName(const std::string& flag, const std::string& value) {
  const auto parts = Split(value, '/');
  if (parts.size() != 2 || parts[0].empty() || parts[1].empty()) {
    return ConfigError(flag + ": found \"" + value + "\", expected NAMESPACE/NAME");
  }
  return engine::ObjectName{std::string(parts[0]), std::string(parts[1])};
}

// Returns the profile for which the operator rendered a ConfigMap of this name.
std::optional<std::string> ProfileOf(const engine::ObjectName& config_map) {
  if (!config_map.name.starts_with(crds::kObjectPrefix)) return std::nullopt;
  return config_map.name.substr(crds::kObjectPrefix.size());
}

Result<engine::EngineOptions> MakeOptions(const SchedulerFlags& flags) {
  if (flags.config.empty() && flags.config_map.empty()) {
    return ConfigError("no configuration: set --config FILE, --config-map NAMESPACE/NAME, or both");
  }
  engine::EngineOptions options;
  options.hostname = HostName();
  BERTH_TRY(options.identity, NewIdentity());
  options.leader_elect = flags.leader_elect;
  options.max_unschedulable = std::chrono::seconds(flags.max_unschedulable_seconds);
  if (!flags.config_map.empty()) {
    BERTH_TRY(options.config_map, ParseObjectName("--config-map", flags.config_map));
    options.profile = ProfileOf(*options.config_map);
  }
  BERTH_TRY(options.sidecar_ports, ReadPorts("--sidecar-ports", flags.sidecar_ports));
  if (!flags.lease.empty()) {
    BERTH_TRY(options.lease, ParseObjectName("--lease", flags.lease));
  }
  if (!flags.config.empty()) {
    BERTH_TRY(options.config_text, ReadFile(flags.config));
    options.config_source = flags.config;
    const auto last_good = std::filesystem::path(flags.config).parent_path() / api::kLastGoodKey;
    if (auto text = ReadFile(last_good.string())) options.last_good_text = std::move(*text);
  }
  return options;
}

// Returns the kubeconfig: that of the flag, else of the configuration file. kube-scheduler ignores
// its flag if there is a file. Source: kube-scheduler cmd/kube-scheduler/app/options/options.go,
// ApplyTo.
Result<std::string> KubeconfigOf(const SchedulerFlags& flags,
                                 const engine::EngineOptions& options) {
  if (!flags.kubeconfig.empty() || !options.config_text) return flags.kubeconfig;
  auto config = api::LoadSchedulerConfiguration(*options.config_text, options.config_source);
  if (!config && options.last_good_text) {
    config = api::LoadSchedulerConfiguration(*options.last_good_text, options.config_source);
  }
  if (config) return config->client_connection.kubeconfig;
  if (options.config_map) return std::string();  // it may have a valid configuration
  return Fail(std::move(config).error());
}

Endpoints EndpointsOf(const engine::Engine& engine, const MetricsRegistry& metrics) {
  return {.health = {{"/readyz", engine.ReadyChecks()},
                     {"/livez", engine.LiveChecks()},
                     {"/healthz", engine.LiveChecks()}},
          .metrics = &metrics,
          .more = [&engine](const http::Request& request) -> std::optional<http::Response> {
            if (request.target != "/configz") return std::nullopt;
            return http::Response{.code = 200,
                                  .headers = {{"Content-Type", "application/json"}},
                                  .body = R"({"componentconfig":)" + engine.ConfigJson() + "}"};
          }};
}

// Runs the engine on a thread of its own until it ends or a signal arrives.
Result<int> Serve(engine::Engine& engine, TerminationSignal& signal) {
  Result<void> outcome;
  std::atomic<bool> ended = false;
  std::jthread thread([&] {
    outcome = engine.Run();
    ended = true;
  });
  bool asked = false;
  while (!ended) {
    if (signal.WaitFor(std::chrono::milliseconds(100)) != 0 && !asked) {
      log::Info("Stopping");
      asked = true;
      engine.Stop();
    }
  }
  thread.join();
  if (!outcome) return Fail(outcome.error());
  log::Info("Stopped");
  return kExitSuccess;
}

Result<int> Run(const SchedulerFlags& flags) {
  TerminationSignal signal;
  ConfigureLog(flags.log, "scheduler", log::TimeUnit::kMilliseconds);
  BERTH_TRY(const engine::EngineOptions options, MakeOptions(flags));
  const SystemClock clock;
  BERTH_TRY(const std::string kubeconfig, KubeconfigOf(flags, options));
  BERTH_TRY(const client::ClientConfig config,
            client::LoadClientConfig({.kubeconfig = kubeconfig}));
  BERTH_TRY(const std::unique_ptr<client::Client> client,
            client::Client::Create(config, {.component = "scheduler"}, clock));
  const scheduler::Registry registry = scheduler::MakeRegistry();
  MetricsRegistry metrics;
  AddProcessMetrics(metrics);
  BERTH_TRY(const std::unique_ptr<engine::Engine> engine,
            engine::Engine::Create(*client, registry, metrics, clock, options));
  std::unique_ptr<http::Server> server;
  if (flags.secure_port != 0) {
    BERTH_TRY(server,
              http::Server::Start({.address = flags.bind_address, .port = flags.secure_port},
                                  EndpointsOf(*engine, metrics)));
  }
  return Serve(*engine, signal);
}

}  // namespace

Command SchedulerCommand(Program& program) {
  auto flags = std::make_shared<SchedulerFlags>();
  CommandLine line{.name = "scheduler", .help = kSchedulerHelp};
  line.flags = {
      {.name = "--config",
       .target = &flags->config,
       .help = "Configuration file; if it is rejected, last-good.yaml in the same folder is used"},
      {.name = "--config-map",
       .target = &flags->config_map,
       .help = "NAMESPACE/NAME of the ConfigMap to watch; key scheduler-config.yaml"},
      {.name = "--kubeconfig",
       .target = &flags->kubeconfig,
       .help = "Kubeconfig file of the cluster; default: clientConnection.kubeconfig "
               "of the file of --config, KUBECONFIG, the pod's service account, ~/.kube/config"},
      {.name = "--lease",
       .target = &flags->lease,
       .help = "NAMESPACE/NAME of the Lease that the scheduler holds; default: "
               "leaderElection.resourceNamespace and resourceName of the configuration. If neither "
               "this flag, --config-map nor leader election is set, the scheduler holds no Lease"},
      {.name = "--leader-elect",
       .target = &flags->leader_elect,
       .help = "Overrides leaderElection.leaderElect of the configuration"},
      {.name = "--bind-address",
       .target = &flags->bind_address,
       .help = "Listen address of /healthz, /livez, /readyz, /metrics and /configz; 0.0.0.0 and "
               ":: are all addresses of IPv4 and IPv6"},
      {.name = "--secure-port",
       .target = &flags->secure_port,
       .help = "Port of the paths of --bind-address, plain HTTP despite the flag's name; 0 turns "
               "them off"},
      {.name = "--sidecar-ports",
       .target = &flags->sidecar_ports,
       .help = "Allowed localhost ports for extenders of the ConfigMap's configuration, "
               "separated by commas: ports of containers in the same pod. A file's extenders may "
               "use any port",
       .type = "PORT",
       .separator = ','},
      {.name = "--" + std::string(api::kMaxUnschedulableFlag.name),
       .target = &flags->max_unschedulable_seconds,
       .help = "Whole seconds after which an unschedulable pod is retried without an event; "
               "kube-scheduler's flag takes a duration",
       .range = api::kMaxUnschedulableFlag.range}};
  for (Flag& flag : FlagsOf(flags->log)) line.flags.push_back(std::move(flag));
  line.footer = "Example:\n  " + program.name +
                " scheduler --config scheduler-config.yaml --kubeconfig ~/.kube/config";
  return {.line = std::move(line), .run = [flags] { return Run(*flags); }};
}

}  // namespace berth::operator_
