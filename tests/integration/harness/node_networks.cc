// SPDX-License-Identifier: Apache-2.0
#include "tests/integration/harness/node_networks.h"

#include <utility>

#include "base/strings.h"
#include "tests/integration/harness/wait.h"

namespace berth::integration {
namespace {

constexpr const char* kSwitch = "nodes";
constexpr const char* kEnter = "/usr/bin/nsenter";
constexpr std::chrono::seconds kStartLimit{10};

Result<void> RunAll(const std::vector<std::string>& lines) {
  for (const std::string& line : lines) {
    const auto words = Split(line, ' ');
    const auto outcome = Run(Arguments(words.begin(), words.end()));
    if (outcome.exit_code != 0) {
      return ConfigError(line + ": " + std::string(TrimSpace(outcome.err)));
    }
  }
  return {};
}

std::string NetworkOf(const std::string& process) {
  return Run({"readlink", "/proc/" + process + "/ns/net"}).out;
}

}  // namespace

Result<std::unique_ptr<NodeNetworks>> NodeNetworks::Create(const std::string& address) {
  for (const char* const program : {"ip", kEnter, "unshare"}) {
    if (Run({"which", program}).exit_code != 0) {
      return ConfigError(std::string(program) + " is missing");
    }
  }
  const std::string name = kSwitch;
  BERTH_TRY_VOID(
      RunAll({"ip link set lo up", "ip link add " + name + " type bridge",
              "ip addr add " + address + " dev " + name, "ip link set " + name + " up"}));
  return std::unique_ptr<NodeNetworks>(new NodeNetworks(address.substr(address.find('/'))));
}

NodeNetworks::~NodeNetworks() { (void)RunAll({"ip link del " + std::string(kSwitch)}); }

Result<void> NodeNetworks::Add(const std::string& node, const std::string& address,
                               const std::filesystem::path& log) {
  auto holder =
      std::make_unique<Process>(Arguments{"unshare", "--net", "--", "sleep", "infinity"}, log);
  const std::string pid = std::to_string(holder->pid());
  // The network namespace exists once the program executes its command.
  if (!PollUntil(kStartLimit, [&] { return NetworkOf(pid) != NetworkOf("self"); })) {
    return ConfigError("cannot create a network for " + node + ": " + holder->Output());
  }
  const std::string link = "veth" + std::to_string(holders_.size());
  const std::string inside = std::string(kEnter) + " --target " + pid + " --net ";
  BERTH_TRY_VOID(RunAll({"ip link add " + link + " type veth peer name eth0 netns " + pid,
                         "ip link set " + link + " master " + kSwitch + " up",
                         inside + "ip addr add " + address + range_ + " dev eth0",
                         inside + "ip link set eth0 up", inside + "ip link set lo up"}));
  holders_[node] = std::move(holder);
  return {};
}

Arguments NodeNetworks::Enter(const std::string& node) const {
  const auto found = holders_.find(node);
  if (found == holders_.end()) return {};
  return {kEnter, "--target", std::to_string(found->second->pid()), "--net", "--"};
}

}  // namespace berth::integration
