// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "bench/wire/http_connection.h"
#include "client/client_config.h"
#include "http/tls.h"
#include "sandbox/simulation/kubelet/child_process.h"

namespace berth::bench {

// ServerProcess is `berth-sandbox apiserver` on a free port of 127.0.0.1, as a process of its own,
// so that its time and memory can be told from those of the load. It ends with this.
class ServerProcess {
 public:
  // `binary` is the path of berth-sandbox; with `tls` the server has certificates made for this run;
  // `more` are further arguments of its command. Errors show what the server printed.
  static Result<std::unique_ptr<ServerProcess>> Start(const std::string& binary, bool tls,
                                                      const std::vector<std::string>& more = {});
  ~ServerProcess();

  // As the admin; AdminConfig is the same for a program with a kubeconfig.
  HttpConnection::Options AdminOptions() const;
  client::ClientConfig AdminConfig() const;

  // For files of this run; removed at the end.
  const std::filesystem::path& folder() const { return folder_; }

  // What the kernel says of the process: user and system time used, memory resident.
  std::chrono::duration<double> CpuTime() const;
  size_t ResidentBytes() const;

 private:
  ServerProcess(std::filesystem::path folder, simulation::ChildProcess process,
                std::optional<http::TlsOptions> tls)
      : folder_(std::move(folder)), process_(std::move(process)), tls_(std::move(tls)) {}

  Result<void> AwaitPort();

  const std::filesystem::path folder_;
  simulation::ChildProcess process_;
  const std::optional<http::TlsOptions> tls_;
  uint16_t port_ = 0;
};

}  // namespace berth::bench
