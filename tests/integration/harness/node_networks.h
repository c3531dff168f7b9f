// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <string>

#include "base/error.h"
#include "tests/integration/harness/process.h"

namespace berth::integration {

// NodeNetworks are networks of nodes, for programs that count what goes through one: each has an
// interface eth0 with an address, and a switch joins them all with this program's network.
class NodeNetworks {
 public:
  // Create makes the switch, and turns on the loopback. Errors say what is missing ("... is missing") or not allowed here.
  // Requires: this program's network is its own; `address` is free in it, in the form 10.64.0.254/24, and
  // the nodes' addresses are of that range.
  static Result<std::unique_ptr<NodeNetworks>> Create(const std::string& address);
  ~NodeNetworks();
  NodeNetworks(const NodeNetworks&) = delete;
  NodeNetworks& operator=(const NodeNetworks&) = delete;

  // Add makes the network of a node, which ends with this. `log` is a file for what goes wrong in it.
  Result<void> Add(const std::string& node, const std::string& address,
                   const std::filesystem::path& log);
  // Enter is what a command begins with that is to run in a node's network; empty: there is none.
  Arguments Enter(const std::string& node) const;

 private:
  explicit NodeNetworks(std::string range) : range_(std::move(range)) {}

  const std::string range_;  // "/24"
  std::map<std::string, std::unique_ptr<Process>>
      holders_;  // by node; a network is there as long as one is
};

}  // namespace berth::integration
