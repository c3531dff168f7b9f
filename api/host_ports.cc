// SPDX-License-Identifier: Apache-2.0
#include "api/host_ports.h"

namespace berth::api {
namespace {

void Append(const Container& container, std::vector<HostPort>& ports) {
  for (const ContainerPort& port : container.ports) {
    if (port.host_port <= 0) continue;
    ports.push_back({.ip = port.host_ip.empty() ? std::string(kAnyAddress) : port.host_ip,
                     .protocol = port.protocol.empty() ? "TCP" : port.protocol,
                     .port = port.host_port});
  }
}

}  // namespace

bool HostPort::Conflicts(const HostPort& other) const {
  return port == other.port && protocol == other.protocol &&
         (ip == other.ip || ip == kAnyAddress || other.ip == kAnyAddress);
}

std::vector<HostPort> HostPortsOf(const Pod& pod) {
  std::vector<HostPort> ports;
  for (const Container& container : pod.spec.init_containers) {
    if (container.restart_policy == "Always") Append(container, ports);
  }
  for (const Container& container : pod.spec.containers) Append(container, ports);
  return ports;
}

}  // namespace berth::api
