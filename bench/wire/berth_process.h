// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <chrono>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.h"
#include "bench/wire/server_process.h"
#include "sandbox/simulation/kubelet/child_process.h"

namespace berth::bench {

// BerthProcess runs `berth COMMAND` as a separate process that follows the cluster of a server as
// its admin. The destructor ends it.
class BerthProcess {
 public:
  // `config` is the text of its --config file; `more` are further arguments.
  static Result<BerthProcess> Start(const ServerProcess& server, const std::filesystem::path& berth,
                                    const std::string& command, const std::string& config,
                                    const std::vector<std::string>& more);

  // Returns the first logged line that contains this text. Error: the process ended, or logged
  // nothing for `limit`; the error shows the log.
  Result<std::string> AwaitLine(std::string_view text, std::chrono::seconds limit);

  pid_t pid() const { return process_.pid(); }

 private:
  BerthProcess(simulation::ChildProcess process, std::string log)
      : process_(std::move(process)), log_(std::move(log)) {}

  simulation::ChildProcess process_;
  std::string log_;
};

}  // namespace berth::bench
