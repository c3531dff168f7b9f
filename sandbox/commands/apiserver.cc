// SPDX-License-Identifier: Apache-2.0
#include <memory>
#include <ostream>
#include <string>

#include "base/clock.h"
#include "base/file.h"
#include "client/kubeconfig.h"
#include "operator/commands/signals.h"
#include "sandbox/apiserver/server.h"
#include "sandbox/commands/commands.h"

namespace berth::sandbox {
namespace {

struct ApiserverFlags {
  std::string bind_address = "127.0.0.1";
  uint16_t port = 8080;
  std::string certificate, key, client_ca, kubeconfig;
  uint64_t seed = 1;
  size_t window = 10'000;
  bool faults = false;
  bool watch_list = true;
};

constexpr const char* kApiserverHelp =
    "Run an in-memory Kubernetes API server.\n\n"
    "It is for demos, tests and simulations, and stores nothing on disk. Without TLS every\n"
    "client that reaches it may do everything, so it listens on loopback by default.";

Result<int> Run(const ApiserverFlags& flags, operator_::Program& program) {
  if (flags.certificate.empty() != flags.key.empty()) {
    return ConfigError(
        "--tls-cert-file and --tls-private-key-file go together; only one was given");
  }
  operator_::TerminationSignal signal;
  const SystemClock clock;
  apiserver::ServerOptions options;
  options.address = flags.bind_address;
  options.port = flags.port;
  options.seed = flags.seed;
  options.history_window = flags.window;
  options.serves_faults = flags.faults;
  options.watch_list = flags.watch_list;
  options.anonymous_admin = flags.certificate.empty();
  if (!flags.certificate.empty()) {
    options.tls = http::ServerTlsOptions{.certificate = {.data = {}, .file = flags.certificate},
                                         .key = {.data = {}, .file = flags.key},
                                         .client_ca = {.data = {}, .file = flags.client_ca}};
  }
  BERTH_TRY(const std::unique_ptr<apiserver::Server> server,
            apiserver::Server::Start(std::move(options), clock));
  if (!flags.kubeconfig.empty()) {
    client::ClientConfig config{.server = server->url()};
    config.tls.ca.file = flags.certificate;
    BERTH_TRY_VOID(WriteFile(flags.kubeconfig, client::KubeconfigText(config)));
  }
  program.out << server->url() << std::endl;
  while (signal.WaitFor(std::chrono::seconds(60)) == 0) {
  }
  return operator_::kExitSuccess;
}

}  // namespace

operator_::Command ApiserverCommand(operator_::Program& program) {
  auto flags = std::make_shared<ApiserverFlags>();
  CommandLine line{.name = "apiserver", .help = kApiserverHelp};
  line.flags = {
      {.name = "--bind-address", .target = &flags->bind_address, .help = "Address to listen on"},
      {.name = "--port", .target = &flags->port, .help = "Port to listen on; 0 selects a free one"},
      {.name = "--tls-cert-file",
       .target = &flags->certificate,
       .help = "Server certificate, PEM; without it the server uses plain text"},
      {.name = "--tls-private-key-file",
       .target = &flags->key,
       .help = "Key of the server certificate, PEM"},
      {.name = "--client-ca-file",
       .target = &flags->client_ca,
       .help = "CA bundle for client certificates, PEM"},
      {.name = "--write-kubeconfig",
       .target = &flags->kubeconfig,
       .help = "File to which a kubeconfig for the server is written"},
      {.name = "--seed",
       .target = &flags->seed,
       .help = "Seed for uids, generated names and faults"},
      {.name = "--history",
       .target = &flags->window,
       .help = "Number of changes per resource that a watch can go back"},
      {.name = "--watch-list",
       .target = &flags->watch_list,
       .help =
           "Let watches begin with the existing objects (sendInitialEvents); default since 1.34"},
      {.name = "--enable-faults",
       .target = &flags->faults,
       .help = "Let any client inject faults by POST /berth-faults; on loopback only.\n"
               "See sandbox/apiserver/rest/README.md"}};
  line.footer =
      "Example:\n  " + program.name + " apiserver --port 8080 --write-kubeconfig demo.kubeconfig";
  return {.line = std::move(line), .run = [flags, &program] { return Run(*flags, program); }};
}

}  // namespace berth::sandbox
