// SPDX-License-Identifier: Apache-2.0
#include "bench/wire/berth_process.h"

#include <thread>

#include "base/file.h"
#include "client/kubeconfig.h"

namespace berth::bench {

Result<BerthProcess> BerthProcess::Start(const ServerProcess& server,
                                         const std::filesystem::path& berth,
                                         const std::string& command, const std::string& config,
                                         const std::vector<std::string>& more) {
  const std::string file = server.folder() / (command + ".yaml");
  const std::string kubeconfig = server.folder() / (command + "-kubeconfig");
  const std::string log = server.folder() / (command + "-log");
  BERTH_TRY_VOID(WriteFile(file, config));
  BERTH_TRY_VOID(WriteFile(kubeconfig, client::KubeconfigText(server.AdminConfig())));
  std::vector<std::string> arguments = {berth, command,        "--config",
                                        file,  "--kubeconfig", kubeconfig};
  arguments.insert(arguments.end(), more.begin(), more.end());
  BERTH_TRY(
      simulation::ChildProcess process,
      simulation::ChildProcess::Start({.arguments = arguments, .environment = {}, .log = log}));
  return BerthProcess(std::move(process), log);
}

Result<std::string> BerthProcess::AwaitLine(std::string_view text, std::chrono::seconds limit) {
  constexpr std::chrono::milliseconds kLook{20};
  const auto end = std::chrono::steady_clock::now() + limit;
  std::string said;
  while (std::chrono::steady_clock::now() < end && !process_.ExitCode()) {
    said = ReadFile(log_).value_or("");
    const size_t at = said.find(text);
    const size_t line_end = at == said.npos ? said.npos : said.find('\n', at);
    if (line_end != said.npos) {
      const size_t line = said.rfind('\n', at) + 1;  // 0 in the first line
      return said.substr(line, line_end - line);
    }
    std::this_thread::sleep_for(kLook);
  }
  return Fail(Reason::kTimeout, "berth did not log " + std::string(text) + ": " + said);
}

}  // namespace berth::bench
