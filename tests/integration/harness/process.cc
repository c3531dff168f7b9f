// SPDX-License-Identifier: Apache-2.0
#include "tests/integration/harness/process.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include <gtest/gtest.h>

#include "tests/integration/harness/wait.h"

extern char** environ;

namespace berth::integration {
namespace {

int ExitCodeOf(int status) {
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

// Vector owns strings as the null-terminated array for exec.
class Vector {
 public:
  void Add(std::string text) { texts_.push_back(std::move(text)); }
  char* const* get() {
    pointers_.clear();
    for (std::string& text : texts_) pointers_.push_back(text.data());
    pointers_.push_back(nullptr);
    return pointers_.data();
  }

 private:
  std::vector<std::string> texts_;
  std::vector<char*> pointers_;
};

Vector EnvironmentWith(const Variables& variables) {
  Vector environment;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string text = *entry;
    if (!variables.contains(text.substr(0, text.find('=')))) environment.Add(text);
  }
  for (const auto& [name, value] : variables) environment.Add(name + "=" + value);
  return environment;
}

pid_t Spawn(const Arguments& arguments, const Variables& variables,
            posix_spawn_file_actions_t& actions) {
  Vector argv;
  for (const std::string& argument : arguments) argv.Add(argument);
  Vector environment = EnvironmentWith(variables);
  // The child starts without blocked signals, whatever signals the test blocks.
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t none;
  sigemptyset(&none);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
  pid_t pid = -1;
  const int error = posix_spawnp(&pid, arguments[0].c_str(), &actions, &attributes, argv.get(),
                                 environment.get());
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) throw std::runtime_error("start " + arguments[0] + ": " + std::strerror(error));
  return pid;
}

struct Pipe {
  Pipe() {
    if (pipe2(ends, O_CLOEXEC) != 0) throw std::runtime_error("no pipe");
  }
  ~Pipe() {
    Close(0);
    Close(1);
  }
  void Close(int i) {
    if (ends[i] >= 0) close(ends[i]);
    ends[i] = -1;
  }
  int ends[2] = {-1, -1};
};

// Writes the input and reads both streams until they end, in any order.
void Exchange(Pipe& in, Pipe& out, Pipe& err, const std::string& input, ProcessOutcome& outcome) {
  size_t written = 0;
  if (input.empty()) in.Close(1);
  while (out.ends[0] >= 0 || err.ends[0] >= 0) {
    pollfd fds[3] = {{in.ends[1], POLLOUT, 0}, {out.ends[0], POLLIN, 0}, {err.ends[0], POLLIN, 0}};
    if (poll(fds, 3, -1) < 0 && errno != EINTR) break;
    if (fds[0].revents != 0) {
      const ssize_t n = write(in.ends[1], input.data() + written, input.size() - written);
      if (n > 0) written += static_cast<size_t>(n);
      if (n <= 0 || written == input.size()) in.Close(1);
    }
    char buffer[16384];
    for (const int i : {1, 2}) {
      if (fds[i].revents == 0) continue;
      const ssize_t n = read(fds[i].fd, buffer, sizeof buffer);
      if (n > 0) {
        (i == 1 ? outcome.out : outcome.err).append(buffer, static_cast<size_t>(n));
      } else {
        (i == 1 ? out : err).Close(0);
      }
    }
  }
}

}  // namespace

// All ports are open at the same time, so they differ.
std::vector<int> FreePorts(int count) {
  std::vector<int> ports, sockets;
  for (int i = 0; i < count; ++i) {
    sockets.push_back(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    if (bind(sockets.back(), reinterpret_cast<sockaddr*>(&address), size) != 0 ||
        getsockname(sockets.back(), reinterpret_cast<sockaddr*>(&address), &size) != 0) {
      throw std::runtime_error("no free port");
    }
    ports.push_back(ntohs(address.sin_port));
  }
  for (const int socket : sockets) close(socket);
  return ports;
}

ProcessOutcome Run(const Arguments& arguments, const std::string& input,
                   const Variables& variables) {
  Pipe in, out, err;
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, in.ends[0], 0);
  posix_spawn_file_actions_adddup2(&actions, out.ends[1], 1);
  posix_spawn_file_actions_adddup2(&actions, err.ends[1], 2);
  const pid_t pid = Spawn(arguments, variables, actions);
  in.Close(0);
  out.Close(1);
  err.Close(1);
  ProcessOutcome outcome;
  Exchange(in, out, err, input, outcome);
  int status = 0;
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  outcome.exit_code = ExitCodeOf(status);
  return outcome;
}

ProcessOutcome Succeeded(const Arguments& arguments, ProcessOutcome outcome) {
  if (outcome.exit_code == 0) return outcome;
  std::string line = "kubectl";
  for (const std::string& argument : arguments) line += " " + argument;
  ADD_FAILURE() << line << ": " << outcome.err << outcome.out;
  return outcome;
}

Process::Process(const Arguments& arguments, std::filesystem::path log, const Variables& variables)
    : log_(std::move(log)) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, 1, log_.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0600);
  posix_spawn_file_actions_adddup2(&actions, 1, 2);
  // setpriv asks the kernel to kill the program when the test dies, then executes the program.
  Arguments mortal{"setpriv", "--pdeathsig", "KILL", "--"};
  mortal.insert(mortal.end(), arguments.begin(), arguments.end());
  pid_ = Spawn(mortal, variables, actions);
}

Process::~Process() {
  if (!Stop()) Kill();
}

bool Process::Reap(bool block) {
  if (exit_code_) return true;
  int status = 0;
  if (waitpid(pid_, &status, block ? 0 : WNOHANG) != pid_) return false;
  exit_code_ = ExitCodeOf(status);
  return true;
}

std::optional<int> Process::Stop(std::chrono::seconds limit) {
  if (!Reap(false)) {
    kill(pid_, SIGTERM);
    if (!PollUntil(limit, [this] { return Reap(false); })) {
      Kill();
      return std::nullopt;
    }
  }
  return exit_code_;
}

void Process::Kill() {
  if (Reap(false)) return;
  kill(pid_, SIGKILL);
  Reap(true);
}

bool Process::IsRunning() { return !Reap(false); }

std::string Process::Output() const {
  std::ifstream file(log_);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

}  // namespace berth::integration
