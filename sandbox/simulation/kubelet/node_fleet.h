// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "client/client.h"
#include "sandbox/simulation/control_loop.h"
#include "sandbox/simulation/kubelet/simulated_node.h"

namespace berth::simulation {

// NodeFleet is the node part of the simulated kubelets: it registers each Node, renews its Lease
// every ten seconds and reports its status every five minutes. A deleted Node is not registered
// again.
class NodeFleet {
 public:
  // Requires: client and clock outlive this.
  NodeFleet(client::Client& client, const Clock& clock);
  ~NodeFleet() { Stop(); }

  void Add(const NodeDescription& description);
  void Start() { loop_.Start(); }
  void Stop() { loop_.Stop(); }

  // IsOurs reports whether a node belongs to this fleet. AddressOf returns its address, or "".
  bool IsOurs(const std::string& node) const;
  std::string AddressOf(const std::string& node) const;
  // Returns the number of registered nodes.
  size_t Registered() const;

 private:
  struct Member {
    NodeDescription description;
    std::string address;
    std::string uid;  // empty: not registered yet
    Time registered;
    SteadyTime report_at{};  // time of the next status report
  };

  Result<RequeueAfter> Beat(const std::string& name);
  Result<void> Register(Member& member);
  Result<void> RenewLease(const Member& member);
  std::optional<Member> Find(const std::string& name) const;

  client::Client& client_;
  const Clock& clock_;
  mutable std::mutex mutex_;  // guards members_
  std::map<std::string, Member> members_;
  ControlLoop loop_;  // last: its threads use the rest
};

}  // namespace berth::simulation
