// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <vector>

#include "api/meta.h"
#include "base/error.h"

namespace berth::simulation {

// ChildProcess is one run of a program, in a process group of its own, so that Ctrl-C at the
// terminal does not reach it. The kernel kills it when the thread that started it ends, however
// that comes about: keep that thread as long as the child shall live. For one thread.
class ChildProcess {
 public:
  struct Launch {
    std::vector<std::string> arguments;  // [0] is the path of the program
    api::StringMap environment;          // all of it; nothing is inherited
    std::string log;                     // file that gets both output streams, appended
  };

  // Start fails (kConfig) when there is no such program, or it may not be run.
  static Result<ChildProcess> Start(const Launch& launch);
  ChildProcess(ChildProcess&& other) noexcept;
  ChildProcess& operator=(ChildProcess&&) = delete;
  // Kills what still runs.
  ~ChildProcess();

  // ExitCode is nothing while it runs; 128 + signal when a signal ended it.
  std::optional<int> ExitCode();
  void Signal(int signal) const;
  pid_t pid() const { return pid_; }

 private:
  explicit ChildProcess(pid_t pid) : pid_(pid) {}

  pid_t pid_;  // -1: moved from
  std::optional<int> exit_code_;
};

}  // namespace berth::simulation
