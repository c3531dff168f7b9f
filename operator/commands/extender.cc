// SPDX-License-Identifier: Apache-2.0
#include <limits>
#include <memory>
#include <string>

#include "base/clock.h"
#include "base/file.h"
#include "base/json/json.h"
#include "base/log.h"
#include "base/metrics.h"
#include "client/kubeconfig.h"
#include "extender/configuration.h"
#include "extender/front.h"
#include "extender/service.h"
#include "operator/commands/command.h"
#include "operator/commands/signals.h"
#include "operator/process.h"
#include "scheduler/plugins/registry.h"

namespace berth::operator_ {
namespace {

constexpr const char* kExtenderHelp =
    "Serve plugins as a scheduler extender.\n\n"
    "A kube-scheduler, or another scheduler with the extender protocol, calls it to filter,\n"
    "prioritize, preempt and bind. The configuration is an ExtenderConfiguration\n"
    "(berth.dev/v1alpha1). Each entry has the fields of an entry of `extenders` in the\n"
    "KubeSchedulerConfiguration of the calling scheduler, and the plugins that serve it.\n"
    "docs/extenders.md shows both.";

struct ExtenderFlags {
  std::string config;
  std::string kubeconfig;
  bool in_cluster = false;
  std::string bind_address = "127.0.0.1";
  uint16_t port = 10262;
  std::string certificate;
  std::string key;
  std::string client_ca;
  uint64_t max_request_bytes = uint64_t{64} << 20;
  LogFlags log{.verbosity = 2};
};

Result<std::optional<http::ServerTlsOptions>> TlsOf(const ExtenderFlags& flags) {
  if (flags.certificate.empty() != flags.key.empty()) {
    return ConfigError("--tls-cert-file and --tls-private-key-file: set both, or neither");
  }
  if (!flags.certificate.empty()) {
    return http::ServerTlsOptions{.certificate = {.data = {}, .file = flags.certificate},
                                  .key = {.data = {}, .file = flags.key},
                                  .client_ca = {.data = {}, .file = flags.client_ca}};
  }
  if (!flags.client_ca.empty()) {
    return ConfigError(
        "--client-ca-file: client certificates need TLS; set --tls-cert-file and "
        "--tls-private-key-file, too");
  }
  return std::nullopt;
}

Result<std::unique_ptr<client::Client>> ClientOf(const ExtenderFlags& flags, const Clock& clock) {
  if (flags.kubeconfig.empty() && !flags.in_cluster) return nullptr;
  BERTH_TRY(const client::ClientConfig config,
            flags.in_cluster ? client::LoadInCluster(client::ProcessEnvironment())
                             : client::LoadClientConfig({.kubeconfig = flags.kubeconfig}));
  return client::Client::Create(config, {.component = "extender"}, clock);
}

Endpoints PagesOf(const extender::Service& service, const MetricsRegistry& metrics) {
  return {.health = {{"/readyz", service.ReadyChecks()},
                     {"/livez", service.LiveChecks()},
                     {"/healthz", service.LiveChecks()}},
          .metrics = &metrics,
          .more = [](const http::Request& request) -> std::optional<http::Response> {
            if (request.target != "/version") return std::nullopt;
            return http::Response{
                .code = 200,
                .headers = {{"Content-Type", "application/json"}},
                .body = R"({"gitVersion":)" + json::Quoted("v" BERTH_VERSION) + "}"};
          }};
}

Result<int> Run(const ExtenderFlags& flags) {
  TerminationSignal signal;
  ConfigureLog(flags.log, "extender", log::TimeUnit::kMilliseconds);
  BERTH_TRY(const std::string text, ReadFile(flags.config));
  BERTH_TRY(const extender::ExtenderConfiguration config,
            extender::LoadConfiguration(text, flags.config));
  BERTH_TRY(const auto tls, TlsOf(flags));
  if (flags.in_cluster && !flags.kubeconfig.empty()) {
    return ConfigError("--kubeconfig and --in-cluster: set only one of them");
  }
  const SystemClock clock;
  BERTH_TRY(const std::unique_ptr<client::Client> client, ClientOf(flags, clock));
  const scheduler::Registry registry = scheduler::MakeRegistry();
  MetricsRegistry metrics;
  AddProcessMetrics(metrics);
  BERTH_TRY(
      const auto service,
      extender::Service::Create(
          config, flags.config,
          {.registry = registry, .metrics = metrics, .clock = clock, .client = client.get()}));
  service->Start();
  BERTH_TRY(const auto front,
            extender::Front::Start(*service, {.address = flags.bind_address,
                                              .port = flags.port,
                                              .tls = tls,
                                              .max_body_bytes = flags.max_request_bytes,
                                              .pages = PagesOf(*service, metrics)}));
  log::Info("Serving", {{"url", front->url()}, {"paths", service->routes().size()}});
  while (signal.WaitFor(std::chrono::seconds(1)) == 0) {
  }
  log::Info("Stopped");
  return kExitSuccess;
}

}  // namespace

Command ExtenderCommand(Program& program) {
  auto flags = std::make_shared<ExtenderFlags>();
  CommandLine line{.name = "extender", .help = kExtenderHelp};
  line.flags = {
      {.name = "--config",
       .target = &flags->config,
       .help = "File with the ExtenderConfiguration",
       .required = true},
      {.name = "--kubeconfig",
       .target = &flags->kubeconfig,
       .help = "Kubeconfig file of the cluster; without it and --in-cluster, the extender only "
               "knows the nodes and pods sent in the request"},
      {.name = "--in-cluster",
       .target = &flags->in_cluster,
       .help = "Connect to the API server with the pod's service account"},
      {.name = "--bind-address",
       .target = &flags->bind_address,
       .help = "Listen address; bindVerb and preemptVerb need a loopback address or "
               "--client-ca-file"},
      {.name = "--port", .target = &flags->port, .help = "Listen port; 0: any free port"},
      {.name = "--tls-cert-file",
       .target = &flags->certificate,
       .help = "Certificate chain of the server (PEM); without it the server uses plain HTTP"},
      {.name = "--tls-private-key-file",
       .target = &flags->key,
       .help = "Private key of that certificate (PEM)"},
      {.name = "--client-ca-file",
       .target = &flags->client_ca,
       .help = "CA bundle (PEM) for client certificates; clients without a valid one are rejected"},
      {.name = "--max-request-bytes",
       .target = &flags->max_request_bytes,
       .help = "Maximum request body in bytes; a whole node takes about 10,000",
       .range = {{1024, std::numeric_limits<int32_t>::max()}}}};
  for (Flag& flag : FlagsOf(flags->log)) line.flags.push_back(std::move(flag));
  line.footer = "Example:\n  " + program.name +
                " extender --config extender.yaml --kubeconfig ~/.kube/config";
  return {.line = std::move(line), .run = [flags] { return Run(*flags); }};
}

}  // namespace berth::operator_
