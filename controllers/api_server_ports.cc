// SPDX-License-Identifier: Apache-2.0
#include "controllers/api_server_ports.h"

#include <set>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "base/log.h"

namespace berth::controllers {
namespace {

// Source: kubernetes cmd/kube-apiserver/app/server.go, APIServerServicePort.
constexpr int32_t kServicePort = 443;

// The default of --secure-port. Source: kubernetes pkg/kubeapiserver/options/serving.go.
constexpr int32_t kUsualPort = 6443;

client::ReflectorOptions TheSlice() {
  client::ReflectorOptions options;
  options.ns = kApiServerSliceNamespace;
  options.name = kApiServerSlice;
  return options;
}

// Reports whether the first list came, or will not come: it is forbidden, or the server has no such
// kind.
bool IsSettled(const client::ReflectorStatus& status) {
  return status.synced ||
         (status.failing && status.last_error && !status.last_error->IsTransient());
}

Ports TcpPortsOf(const api::EndpointSlice& slice) {
  std::set<int32_t> ports;
  for (const api::EndpointPort& port : slice.ports) {
    if (port.port && port.protocol == "TCP") ports.insert(*port.port);
  }
  return {ports.begin(), ports.end()};
}

}  // namespace

Ports PortsToApiServer(const Ports& configured, const Ports& detected) {
  if (!configured.empty()) return configured;
  std::set<int32_t> ports(detected.begin(), detected.end());
  if (detected.empty()) ports.insert(kUsualPort);
  ports.insert(kServicePort);
  return {ports.begin(), ports.end()};
}

ApiServerPorts::ApiServerPorts(client::Client& client, const Clock& clock,
                               std::function<void()> on_change)
    : on_change_(std::move(on_change)), slices_(client, TheSlice(), clock) {
  slices_.Listen([this](const api::Change<api::EndpointSlice>& change) {
    if (change.after) Take(*change.after);
  });
}

void ApiServerPorts::Take(const api::EndpointSlice& slice) {
  Ports ports = TcpPortsOf(slice);
  if (ports.empty()) return;
  {
    const std::lock_guard lock(mutex_);
    if (ports == ports_) return;
    ports_ = ports;
  }
  log::Info("Detected API server ports", {{"ports", fmt::format("{}", fmt::join(ports, ","))}});
  on_change_();
}

std::optional<Ports> ApiServerPorts::Detected() {
  if (!IsSettled(slices_.status())) return std::nullopt;
  const std::lock_guard lock(mutex_);
  if (ports_.empty() && !std::exchange(lack_is_logged_, true)) {
    log::Warn(
        "Could not detect the API server's ports. The NetworkPolicies of schedulers allow only "
        "443 and 6443, or the ports of --api-server-ports. If the API server listens on another "
        "port and a network plugin enforces policies, schedulers cannot connect: set the flag",
        {{"endpointSlice", "default/kubernetes"}});
  }
  return ports_;
}

}  // namespace berth::controllers
