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

// Outcome is what a program that ran to its end left.
struct ProcessOutcome {
  int exit_code = -1;  // 128 + signal when a signal ended it
  std::string out;
  std::string err;
};

using Arguments = std::vector<std::string>;
using Variables = std::map<std::string, std::string>;  // set in addition to the test's own

// FreePorts gives ports of the loopback that nobody listens on, all different.
std::vector<int> FreePorts(int count);

// Run starts a program, feeds it `input` and waits for its end.
ProcessOutcome Run(const Arguments& arguments, const std::string& input = {},
                   const Variables& variables = {});

// Succeeded gives the outcome of `kubectl ARGUMENTS`; the test fails when kubectl did, with what was
// typed.
ProcessOutcome Succeeded(const Arguments& arguments, ProcessOutcome outcome);

// Process is a program that runs beside the test; both its streams go to a file. The destructor
// ends it, by force if it must.
class Process {
 public:
  Process(const Arguments& arguments, std::filesystem::path log, const Variables& variables = {});
  ~Process();
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  // Stop sends SIGTERM and gives the exit code; after `limit` SIGKILL, and nothing.
  std::optional<int> Stop(std::chrono::seconds limit = std::chrono::seconds(15));
  void Kill();
  bool IsRunning();
  // Output is what the program has written so far.
  std::string Output() const;
  pid_t pid() const { return pid_; }

 private:
  bool Reap(bool block);

  const std::filesystem::path log_;
  pid_t pid_ = -1;
  std::optional<int> exit_code_;
};

}  // namespace berth::integration
