// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <string>

#include "base/error.h"
#include "tests/integration/harness/process.h"

namespace berth::integration {

// NodeNetworks are networks of nodes, for programs that count network traffic. Each has an
// interface eth0 with an address; a bridge connects all of them with this program's network.
class NodeNetworks {
 public:
  // Creates the bridge and enables the loopback interface. Errors name a missing program ("... is
  // missing") or a missing permission. Requires: this program has its own network namespace;
  // `address` is unused in it, in the form 10.64.0.254/24, and the nodes' addresses are in that
  // range.
  static Result<std::unique_ptr<NodeNetworks>> Create(const std::string& address);
  ~NodeNetworks();
  NodeNetworks(const NodeNetworks&) = delete;
  NodeNetworks& operator=(const NodeNetworks&) = delete;

  // Adds the network of a node; the destructor removes it. `log` is a file for its errors.
  Result<void> Add(const std::string& node, const std::string& address,
                   const std::filesystem::path& log);
  // Returns the command prefix that runs a command in a node's network; empty if the node has none.
  Arguments Enter(const std::string& node) const;

 private:
  explicit NodeNetworks(std::string range) : range_(std::move(range)) {}

  const std::string range_;  // "/24"
  std::map<std::string, std::unique_ptr<Process>>
      holders_;  // by node; a network exists as long as its holder
};

}  // namespace berth::integration
