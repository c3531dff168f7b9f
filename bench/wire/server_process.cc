// SPDX-License-Identifier: Apache-2.0
#include "bench/wire/server_process.h"

#include <unistd.h>

#include <charconv>
#include <cstdlib>
#include <fstream>
#include <thread>
#include <utility>
#include <vector>

#include "base/file.h"
#include "bench/process_memory.h"
#include "http/crypto/certificates.h"

namespace berth::bench {
namespace {

constexpr std::chrono::seconds kStartLimit{20};
constexpr std::chrono::milliseconds kLookForPort{10};

Result<std::filesystem::path> MakeFolder() {
  std::string name = std::filesystem::temp_directory_path() / "berth-load-XXXXXX";
  if (mkdtemp(name.data()) == nullptr) return ConfigError("cannot make a folder like " + name);
  return name;
}

// Writes the files of the server and returns the TLS options of clients.
Result<http::TlsOptions> MakeIdentities(const std::filesystem::path& folder) {
  BERTH_TRY(const auto authority, http::CertificateAuthority::Create("load"));
  BERTH_TRY(const auto server, authority->IssueServer("apiserver", {}, {"127.0.0.1"}));
  BERTH_TRY(auto admin, authority->IssueClient("admin", {"system:masters"}));
  BERTH_TRY_VOID(WriteFile(folder / "ca.crt", authority->certificate()));
  BERTH_TRY_VOID(WriteFile(folder / "server.crt", server.certificate));
  BERTH_TRY_VOID(WriteFile(folder / "server.key", server.key));
  http::TlsOptions options;
  options.ca.data = authority->certificate();
  options.certificate.data = std::move(admin.certificate);
  options.key.data = std::move(admin.key);
  return options;
}

}  // namespace

Result<std::unique_ptr<ServerProcess>> ServerProcess::Start(const std::string& binary, bool tls,
                                                            const std::vector<std::string>& more) {
  BERTH_TRY(const std::filesystem::path folder, MakeFolder());
  simulation::ChildProcess::Launch launch{
      .arguments = {binary, "apiserver", "--port", "0"}, .environment = {}, .log = folder / "log"};
  launch.arguments.insert(launch.arguments.end(), more.begin(), more.end());
  std::optional<http::TlsOptions> identity;
  if (tls) {
    BERTH_TRY(identity, MakeIdentities(folder));
    for (const auto& [flag, file] : {std::pair{"--tls-cert-file", "server.crt"},
                                     std::pair{"--tls-private-key-file", "server.key"},
                                     std::pair{"--client-ca-file", "ca.crt"}}) {
      launch.arguments.insert(launch.arguments.end(), {flag, folder / file});
    }
  }
  BERTH_TRY(simulation::ChildProcess process, simulation::ChildProcess::Start(launch));
  std::unique_ptr<ServerProcess> server(
      new ServerProcess(folder, std::move(process), std::move(identity)));
  BERTH_TRY_VOID(server->AwaitPort());
  return server;
}

ServerProcess::~ServerProcess() {
  std::error_code ignored;
  std::filesystem::remove_all(folder_, ignored);
}

// The server prints its URL once it listens; the port follows the last colon.
Result<void> ServerProcess::AwaitPort() {
  const auto limit = std::chrono::steady_clock::now() + kStartLimit;
  std::string log;
  while (std::chrono::steady_clock::now() < limit && !process_.ExitCode()) {
    log = ReadFile(folder_ / "log").value_or("");
    const size_t colon = log.rfind(':');
    if (log.ends_with('\n') && log.starts_with("http") && colon != std::string::npos) {
      std::from_chars(log.data() + colon + 1, log.data() + log.size(), port_);
      return {};
    }
    std::this_thread::sleep_for(kLookForPort);
  }
  return ConfigError("berth-sandbox apiserver did not start: " + log);
}

client::ClientConfig ServerProcess::AdminConfig() const {
  client::ClientConfig config;
  config.server = (tls_ ? "https://127.0.0.1:" : "http://127.0.0.1:") + std::to_string(port_);
  if (tls_) config.tls = *tls_;
  return config;
}

HttpConnection::Options ServerProcess::AdminOptions() const {
  return {.port = port_, .tls = tls_, .token = {}};
}

std::chrono::duration<double> ServerProcess::CpuTime() const {
  std::ifstream stat("/proc/" + std::to_string(process_.pid()) + "/stat");
  std::string text;
  // The program name, in parentheses, may contain spaces.
  std::getline(stat, text, ')');
  double user = 0, system = 0;
  for (int i = 3; i < 14; ++i) stat >> text;
  stat >> user >> system;
  return std::chrono::duration<double>((user + system) / static_cast<double>(sysconf(_SC_CLK_TCK)));
}

size_t ServerProcess::ResidentBytes() const { return MemoryOf(process_.pid(), "VmRSS"); }

}  // namespace berth::bench
