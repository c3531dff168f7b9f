// SPDX-License-Identifier: Apache-2.0
#include <memory>
#include <ostream>
#include <string>

#include "base/clock.h"
#include "base/file.h"
#include "operator/commands/command.h"
#include "operator/commands/signals.h"
#include "sandbox/apiserver/server.h"

namespace berth::operator_ {
namespace {

struct ApiserverFlags {
  std::string bind_address = "127.0.0.1";
  uint16_t port = 8080;
  std::string certificate, key, client_ca, kubeconfig;
  uint64_t seed = 1;
  size_t window = 10'000;
  bool faults = false;
};

constexpr const char* kHelp =
    "Run an in-memory Kubernetes API server: for demos, tests and simulations. Nothing is kept "
    "when\n"
    "it ends. Without TLS whoever reaches it may do everything, so it listens on loopback only\n"
    "unless told otherwise.";

std::string KubeconfigText(const std::string& url, const ApiserverFlags& flags) {
  std::string cluster = "{\"server\": \"" + url + "\"";
  if (!flags.certificate.empty())
    cluster += ", \"certificate-authority\": \"" + flags.certificate + "\"";
  cluster += "}";
  return "{\"apiVersion\": \"v1\", \"kind\": \"Config\", \"current-context\": \"berth\",\n"
         " \"clusters\": [{\"name\": \"berth\", \"cluster\": " +
         cluster +
         "}],\n"
         " \"contexts\": [{\"name\": \"berth\", \"context\": {\"cluster\": \"berth\", \"user\": "
         "\"berth\"}}],\n"
         " \"users\": [{\"name\": \"berth\", \"user\": {}}]}\n";
}

Result<int> Run(const ApiserverFlags& flags, Program& program) {
  if (flags.certificate.empty() != flags.key.empty()) {
    return ConfigError(
        "--tls-cert-file and --tls-private-key-file go together; only one was given");
  }
  TerminationSignal signal;
  const SystemClock clock;
  apiserver::ServerOptions options;
  options.address = flags.bind_address;
  options.port = flags.port;
  options.seed = flags.seed;
  options.history_window = flags.window;
  options.serves_faults = flags.faults;
  options.anonymous_admin = flags.certificate.empty();
  if (!flags.certificate.empty()) {
    options.tls = http::ServerTlsOptions{.certificate = {.data = {}, .file = flags.certificate},
                                         .key = {.data = {}, .file = flags.key},
                                         .client_ca = {.data = {}, .file = flags.client_ca}};
  }
  BERTH_TRY(const std::unique_ptr<apiserver::Server> server,
            apiserver::Server::Start(std::move(options), clock));
  if (!flags.kubeconfig.empty())
    BERTH_TRY_VOID(WriteFile(flags.kubeconfig, KubeconfigText(server->url(), flags)));
  program.out << server->url() << std::endl;
  while (signal.WaitFor(std::chrono::seconds(60)) == 0) {
  }
  return kExitSuccess;
}

}  // namespace

void AddApiserverCommand(CLI::App& root, Program& program) {
  auto flags = std::make_shared<ApiserverFlags>();
  CLI::App* command = root.add_subcommand("apiserver", kHelp);
  command->add_option("--bind-address", flags->bind_address, "Address to listen on")
      ->capture_default_str();
  command->add_option("--port", flags->port, "Port to listen on; 0 takes any free one")
      ->capture_default_str();
  command->add_option("--tls-cert-file", flags->certificate,
                      "Certificate of the server, PEM; without it plain text is served");
  command->add_option("--tls-private-key-file", flags->key, "Its key, PEM");
  command->add_option("--client-ca-file", flags->client_ca,
                      "Authority of client certificates, PEM");
  command->add_option("--write-kubeconfig", flags->kubeconfig,
                      "File to write that tells kubectl how to reach the server");
  command->add_option("--seed", flags->seed, "Seed of uids, generated names and faults")
      ->capture_default_str();
  command->add_option("--history", flags->window, "Changes per resource that a watch can go back")
      ->capture_default_str();
  command->add_flag(
      "--enable-faults", flags->faults,
      "Let whoever reaches the server make requests go wrong, by POST /berth-faults;\n"
      "on loopback only. sandbox/apiserver/rest/README.md says how");
  command->footer("Example:\n  " + program.name +
                  " apiserver --port 8080 --write-kubeconfig demo.kubeconfig");
  command->callback(
      [flags, &program] { program.run = [flags, &program] { return Run(*flags, program); }; });
}

}  // namespace berth::operator_
