// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include <filesystem>
#include <thread>

#include "api/scheduler_contract.h"
#include "base/file.h"
#include "base/log.h"
#include "base/metrics.h"
#include "base/strings.h"
#include "client/kubeconfig.h"
#include "engine/engine.h"
#include "http/server/server.h"
#include "operator/commands/command.h"
#include "operator/commands/signals.h"
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
  int max_unschedulable_seconds = 300;
  int verbosity = 2;
  std::string logging_format = "text";
};

constexpr const char* kHelp =
    "Runs one scheduler: places the pods that name it, with the plugins its configuration "
    "enables.\n\n"
    "The configuration is a KubeSchedulerConfiguration (kubescheduler.config.k8s.io/v1), from "
    "--config, from the\n"
    "ConfigMap that --config-map names, or both: the ConfigMap wins, the file serves while the API "
    "server is away. A\n"
    "ConfigMap that changes is applied between two pods; one that is refused leaves the last good "
    "configuration running.\n\n"
    "Example:\n"
    "  berth scheduler --config scheduler-config.yaml --kubeconfig ~/.kube/config";

Result<engine::ObjectName> ParseObjectName(const std::string& flag, const std::string& value) {
  const auto parts = Split(value, '/');
  if (parts.size() != 2 || parts[0].empty() || parts[1].empty()) {
    return ConfigError(flag + ": found \"" + value + "\", expected NAMESPACE/NAME");
  }
  return engine::ObjectName{std::string(parts[0]), std::string(parts[1])};
}

std::string Hostname() {
  char name[256] = {};
  if (gethostname(name, sizeof name - 1) != 0) return "localhost";
  return name;
}

Result<std::string> NewUuid() {
  BERTH_TRY(const std::string text, ReadFile("/proc/sys/kernel/random/uuid"));
  return std::string(TrimSpace(text));
}

Result<engine::EngineOptions> MakeOptions(const SchedulerFlags& flags) {
  if (flags.config.empty() && flags.config_map.empty()) {
    return ConfigError(
        "no configuration: give --config FILE, --config-map NAMESPACE/NAME, or both");
  }
  engine::EngineOptions options;
  options.hostname = Hostname();
  BERTH_TRY(const std::string uuid, NewUuid());
  options.identity = options.hostname + "_" + uuid;
  options.leader_elect = flags.leader_elect;
  options.max_unschedulable = std::chrono::seconds(flags.max_unschedulable_seconds);
  if (!flags.config_map.empty()) {
    BERTH_TRY(options.config_map, ParseObjectName("--config-map", flags.config_map));
  }
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

http::Server::Handler MakeHandler(const engine::Engine& engine, const MetricsRegistry& metrics) {
  auto endpoints = std::make_shared<std::vector<http::HealthEndpoint>>();
  endpoints->emplace_back("/readyz", engine.ReadyChecks());
  endpoints->emplace_back("/livez", engine.LiveChecks());
  endpoints->emplace_back("/healthz", engine.LiveChecks());
  return [endpoints, &engine, &metrics](const http::Request& request) -> http::Response {
    for (const http::HealthEndpoint& endpoint : *endpoints) {
      if (auto response = endpoint.Handle(request)) return *response;
    }
    if (request.target == "/metrics") {
      return {.code = 200,
              .headers = {{"Content-Type", MetricsRegistry::kTextContentType}},
              .body = metrics.Text()};
    }
    if (request.target == "/configz") {
      return {.code = 200,
              .headers = {{"Content-Type", "application/json"}},
              .body = R"({"componentconfig":)" + engine.ConfigJson() + "}"};
    }
    return {.code = 404, .body = "404 page not found\n"};
  };
}

// Serve runs the engine on a thread of its own, and waits for it or for a signal.
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
  log::Configure(
      {.format = flags.logging_format == "json" ? log::Format::kJson : log::Format::kText,
       .verbosity = flags.verbosity,
       .component = "scheduler"});
  BERTH_TRY(const engine::EngineOptions options, MakeOptions(flags));
  const SystemClock clock;
  BERTH_TRY(const client::ClientConfig config,
            client::LoadClientConfig({.kubeconfig = flags.kubeconfig}));
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
                                  MakeHandler(*engine, metrics)));
  }
  return Serve(*engine, signal);
}

}  // namespace

void AddSchedulerCommand(CLI::App& root, Program& program) {
  auto flags = std::make_shared<SchedulerFlags>();
  CLI::App* command = root.add_subcommand("scheduler", kHelp);
  command->add_option(
      "--config", flags->config,
      "File with the configuration; last-good.yaml beside it serves when it is refused");
  command->add_option("--config-map", flags->config_map,
                      "NAMESPACE/NAME of the ConfigMap to follow; key scheduler-config.yaml");
  command->add_option("--kubeconfig", flags->kubeconfig,
                      "File that says how to reach the API server; default: KUBECONFIG, the pod's "
                      "own account, ~/.kube/config");
  command->add_option("--lease", flags->lease,
                      "NAMESPACE/NAME of the Lease for election and sign of life; default: "
                      "leaderElection.resource* of the configuration");
  command
      ->add_option("--leader-elect", flags->leader_elect,
                   "Schedule only while holding the Lease; default: as the configuration says")
      ->expected(0, 1)
      ->default_str("true");
  command
      ->add_option(
          "--bind-address", flags->bind_address,
          "Address of /healthz, /livez, /readyz, /metrics and /configz; plain HTTP in this version")
      ->capture_default_str();
  command->add_option("--secure-port", flags->secure_port, "Port of these; 0 turns them off")
      ->capture_default_str();
  command
      ->add_option("--pod-max-in-unschedulable-pods-duration", flags->max_unschedulable_seconds,
                   "Seconds after which a pod that fits nowhere is tried again without any event")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  command->add_option("-v,--v", flags->verbosity, "Verbosity of the log, 0 to 10")
      ->capture_default_str();
  command->add_option("--logging-format", flags->logging_format, "text or json")
      ->check(CLI::IsMember({"text", "json"}))
      ->capture_default_str();
  command->callback([flags, &program] { program.run = [flags] { return Run(*flags); }; });
}

}  // namespace berth::operator_
