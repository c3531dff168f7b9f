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

// ServerProcess runs `berth-sandbox apiserver` on a free port of 127.0.0.1. It is a separate
// process, so that its time and memory do not mix with those of the load. The destructor ends it.
class ServerProcess {
 public:
  // `binary` is the path of berth-sandbox. With `tls` the server gets certificates made for this
  // run. `more` are further arguments of its command. Errors show the output of the server.
  static Result<std::unique_ptr<ServerProcess>> Start(const std::string& binary, bool tls,
                                                      const std::vector<std::string>& more = {});
  ~ServerProcess();

  // Options for the admin; AdminConfig is the same for a program with a kubeconfig.
  HttpConnection::Options AdminOptions() const;
  client::ClientConfig AdminConfig() const;

  // A folder for files of this run; removed at the end.
  const std::filesystem::path& folder() const { return folder_; }

  // Figures from the kernel: user plus system time, resident memory.
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
