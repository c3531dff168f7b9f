// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "api/host_ports.h"

namespace berth::scheduler {

using api::HostPort;

// UsedPorts are the host ports of the pods of a node. Each change and question takes a time that
// grows with the logarithm of their number.
class UsedPorts {
 public:
  void Add(const std::vector<HostPort>& ports) {
    for (const HostPort& port : ports) ports_.insert(port);
  }
  // Removes each of these ports once. Requires: they were added.
  void Remove(const std::vector<HostPort>& ports) {
    for (const HostPort& port : ports) ports_.erase(ports_.find(port));
  }
  // Frees these ports even if other pods use them, too.
  void Free(const std::vector<HostPort>& ports) {
    for (const HostPort& port : ports) ports_.erase(port);
  }

  // Reports whether one of these ports conflicts with a used one (HostPort::Conflicts).
  bool AnyConflict(const std::vector<HostPort>& wanted) const {
    for (const HostPort& port : wanted) {
      if (Conflicts(port)) return true;
    }
    return false;
  }

  size_t size() const { return ports_.size(); }
  bool empty() const { return ports_.empty(); }

 private:
  struct Less {
    bool operator()(const HostPort& a, const HostPort& b) const {
      return std::tie(a.port, a.protocol, a.ip) < std::tie(b.port, b.protocol, b.ip);
    }
  };

  bool Conflicts(const HostPort& wanted) const {
    HostPort other = wanted;
    if (wanted.ip == api::kAnyAddress) {
      other.ip.clear();  // sorts before every address
      const auto next = ports_.lower_bound(other);
      return next != ports_.end() && next->Conflicts(wanted);
    }
    other.ip = api::kAnyAddress;
    return ports_.contains(wanted) || ports_.contains(other);
  }

  std::multiset<HostPort, Less> ports_;
};

}  // namespace berth::scheduler
