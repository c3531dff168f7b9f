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

// Guard is what is looked after where the text of somebody else says with whom we talk.
struct Guard {
  // Asked with every address, as numbers, that is about to be connected to, be it what a name
  // resolved to just now: an answer says why it is not. Unset: all may be. On a thread of the
  // transport; not to block.
  std::function<std::optional<std::string>(std::string_view address, uint16_t port)> reject;
  // Every request goes over a connection of its own: then none is sent twice, whenever the server
  // closes one.
  bool keeps_connections = true;
};

// CreateGuardedTransport is CreateTransport with a guard. Always over libcurl, which asks before it
// connects.
Result<std::unique_ptr<Transport>> CreateGuardedTransport(TransportOptions options, Guard guard);

}  // namespace berth::http
