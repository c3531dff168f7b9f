// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <vector>

#include "api/meta.h"
#include "base/error.h"

namespace berth::simulation {

// ChildProcess is one run of a program in its own process group, so that Ctrl-C at the terminal
// does not reach it. The kernel kills it when the thread that started it ends for any reason, so
// that thread must outlive the process. For one thread.
class ChildProcess {
 public:
  struct Launch {
    std::vector<std::string> arguments;  // [0] is the path of the program
    api::StringMap environment;          // complete; nothing is inherited
    std::string log;                     // file to which both output streams are appended
  };

  // Fails (kConfig) if the program does not exist or is not executable.
  static Result<ChildProcess> Start(const Launch& launch);
  ChildProcess(ChildProcess&& other) noexcept;
  ChildProcess& operator=(ChildProcess&&) = delete;
  // Kills the process if it still runs.
  ~ChildProcess();

  // Returns nullopt while it runs, and 128 + signal if a signal ended it.
  std::optional<int> ExitCode();
  void Signal(int signal) const;
  pid_t pid() const { return pid_; }

 private:
  explicit ChildProcess(pid_t pid) : pid_(pid) {}

  pid_t pid_;  // -1: moved from
  std::optional<int> exit_code_;
};

}  // namespace berth::simulation
