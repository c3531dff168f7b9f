// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <string_view>
#include <vector>

#include "api/discovery.h"
#include "base/clock.h"
#include "client/client.h"
#include "client/informer.h"

namespace berth::controllers {

// The EndpointSlice behind Service default/kubernetes, where the API servers publish their
// addresses and ports. Source: kubernetes pkg/controlplane/reconcilers/endpointsadapter.go,
// endpointSliceFromEndpoints.
inline constexpr std::string_view kApiServerSliceNamespace = "default";
inline constexpr std::string_view kApiServerSlice = "kubernetes";

// Sorted, without duplicates.
using Ports = std::vector<int32_t>;

// Returns the ports that a NetworkPolicy must allow for connections to the API server: the port of
// Service default/kubernetes, and the port of the API server behind it, for network plugins that
// enforce policies after address translation. `told` is the administrator's setting and replaces
// all others; `heard` are the detected ports and may be empty.
Ports PortsToApiServer(const Ports& configured, const Ports& detected);

// ApiServerPorts watches the ports of the API servers. The last known ports stay valid until others
// are detected: the slice is missing for a moment when it changes to the other address family, and
// names no port while the last API server shuts down. Thread safe.
class ApiServerPorts {
 public:
  // Calls on_change on the informer's thread when the ports have changed. Requires: client and
  // clock outlive this.
  ApiServerPorts(client::Client& client, const Clock& clock, std::function<void()> on_change);

  void Start() { slices_.Start(); }
  void Stop() { slices_.Stop(); }

  // Returns the detected ports. Empty if the slice does not exist or may not be read, which is
  // logged once; nullopt before the first list.
  std::optional<Ports> Detected();

 private:
  void Take(const api::EndpointSlice& slice);

  const std::function<void()> on_change_;
  client::Informer<api::EndpointSlice> slices_;
  std::mutex mutex_;
  Ports ports_;                  // guarded by mutex_
  bool lack_is_logged_ = false;  // guarded by mutex_
};

}  // namespace berth::controllers
