// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/error.h"
#include "http/client/transport.h"

namespace berth::http {

// Guard restricts connections if untrusted text names the server.
struct Guard {
  // Called with every resolved numeric address before the connection. Returns the reason to reject
  // the address, or nullopt. Unset: all addresses are allowed. Runs on a thread of the transport;
  // must not block.
  std::function<std::optional<std::string>(std::string_view address, uint16_t port)> reject;
  // If false, every request uses a new connection. Then no request is sent twice when the server
  // closes a connection.
  bool keeps_connections = true;
};

// CreateTransport with a guard. Always uses libcurl, which calls the guard before it connects.
Result<std::unique_ptr<Transport>> CreateGuardedTransport(TransportOptions options, Guard guard);

}  // namespace berth::http
