// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <chrono>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace berth::integration {

// ProcessOutcome is the result of a finished program.
struct ProcessOutcome {
  int exit_code = -1;  // 128 + signal if a signal killed it
  std::string out;
  std::string err;
};

using Arguments = std::vector<std::string>;
using Variables = std::map<std::string, std::string>;  // set in addition to the test's own

// Returns different unused ports of the loopback interface.
std::vector<int> FreePorts(int count);

// Runs a program with `input` and waits for its end.
ProcessOutcome Run(const Arguments& arguments, const std::string& input = {},
                   const Variables& variables = {});

// Returns the outcome of `kubectl ARGUMENTS`; the test fails with the command line if kubectl
// failed.
ProcessOutcome Succeeded(const Arguments& arguments, ProcessOutcome outcome);

// Process is a program that runs in parallel to the test; its output goes to a file. The destructor
// stops it, with SIGKILL if necessary.
class Process {
 public:
  Process(const Arguments& arguments, std::filesystem::path log, const Variables& variables = {});
  ~Process();
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  // Sends SIGTERM and returns the exit code; after `limit` sends SIGKILL and returns nothing.
  std::optional<int> Stop(std::chrono::seconds limit = std::chrono::seconds(15));
  void Kill();
  bool IsRunning();
  // Returns the output so far.
  std::string Output() const;
  pid_t pid() const { return pid_; }

 private:
  bool Reap(bool block);

  const std::filesystem::path log_;
  pid_t pid_ = -1;
  std::optional<int> exit_code_;
};

}  // namespace berth::integration
