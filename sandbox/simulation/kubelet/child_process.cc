// SPDX-License-Identifier: Apache-2.0
#include "sandbox/simulation/kubelet/child_process.h"

#include <fcntl.h>
#include <linux/close_range.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <utility>

namespace berth::simulation {
namespace {

// Pointers is a list of strings in the form of exec's arguments.
class Pointers {
 public:
  explicit Pointers(std::vector<std::string> texts) : texts_(std::move(texts)) {
    for (std::string& text : texts_) pointers_.push_back(text.data());
    pointers_.push_back(nullptr);
  }
  char* const* get() const { return pointers_.data(); }

 private:
  std::vector<std::string> texts_;
  std::vector<char*> pointers_;
};

// Runs in the child, between fork and exec: only async-signal-safe calls. Errors are written to
// `report`, which exec closes.
[[noreturn]] void Become(char* const* arguments, char* const* environment, const char* log,
                         pid_t parent, int report) {
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(127);  // the parent ended before the line above
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  const int input = open("/dev/null", O_RDONLY);
  const int output = open(log, O_WRONLY | O_CREAT | O_APPEND, 0600);
  if (input >= 0 && output >= 0) {
    dup2(input, 0);
    dup2(output, 1);
    dup2(output, 2);
    close_range(3, ~0U, CLOSE_RANGE_CLOEXEC);
    execve(arguments[0], arguments, environment);
  }
  const int error = errno;
  [[maybe_unused]] const ssize_t written = write(report, &error, sizeof error);
  _exit(127);
}

}  // namespace

Result<ChildProcess> ChildProcess::Start(const Launch& launch) {
  std::vector<std::string> variables;
  for (const auto& [name, value] : launch.environment) variables.push_back(name + "=" + value);
  const Pointers arguments(launch.arguments);
  const Pointers environment(std::move(variables));
  int report[2];
  if (pipe2(report, O_CLOEXEC) != 0) {
    return ConfigError("start " + launch.arguments[0] + ": " + std::strerror(errno));
  }
  const pid_t parent = getpid();
  const pid_t pid = fork();
  if (pid == 0) Become(arguments.get(), environment.get(), launch.log.c_str(), parent, report[1]);
  int error = pid < 0 ? errno : 0;
  close(report[1]);
  if (pid > 0 && read(report[0], &error, sizeof error) <= 0) error = 0;
  close(report[0]);
  if (error == 0) return ChildProcess(pid);
  if (pid > 0) waitpid(pid, nullptr, 0);
  return ConfigError("start " + launch.arguments[0] + ": " + std::strerror(error));
}

ChildProcess::ChildProcess(ChildProcess&& other) noexcept
    : pid_(std::exchange(other.pid_, -1)), exit_code_(other.exit_code_) {}

ChildProcess::~ChildProcess() {
  if (pid_ < 0 || ExitCode()) return;
  kill(pid_, SIGKILL);
  waitpid(pid_, nullptr, 0);
}

std::optional<int> ChildProcess::ExitCode() {
  int status = 0;
  if (!exit_code_ && waitpid(pid_, &status, WNOHANG) == pid_) {
    exit_code_ = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  }
  return exit_code_;
}

void ChildProcess::Signal(int signal) const {
  if (pid_ > 0 && !exit_code_) kill(pid_, signal);
}

}  // namespace berth::simulation
