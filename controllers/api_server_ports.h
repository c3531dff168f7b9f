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

// Where the API servers of a cluster say at which addresses and ports they listen, behind Service
// default/kubernetes. Source: kubernetes pkg/controlplane/reconcilers/endpointsadapter.go,
// endpointSliceFromEndpoints.
inline constexpr std::string_view kApiServerSliceNamespace = "default";
inline constexpr std::string_view kApiServerSlice = "kubernetes";

// Sorted, each once.
using Ports = std::vector<int32_t>;

// PortsToApiServer gives the ports that a connection to the API server may be judged by: that of
// Service default/kubernetes, and that of the API server behind it, which network plugins see that
// judge after the translation of addresses. `told` by the administrator is the whole answer; `heard`
// of the API servers may be empty.
Ports PortsToApiServer(const Ports& told, const Ports& heard);

// ApiServerPorts follows the ports at which the API servers listen. What was heard once holds until
// something else is heard: the slice is gone for a moment when it changes to the other family of
// addresses, and names no port while the last API server is shutting down. Thread safe.
class ApiServerPorts {
 public:
  // on_change is called on the informer's thread when the ports are others than before. Requires:
  // client and clock outlive this.
  ApiServerPorts(client::Client& client, const Clock& clock, std::function<void()> on_change);

  void Start() { slices_.Start(); }
  void Stop() { slices_.Stop(); }

  // Heard gives the ports; none where there is no such slice or it may not be read, which is logged
  // once; nullopt while that is not known.
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
