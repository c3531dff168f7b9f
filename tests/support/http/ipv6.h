// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

namespace berth::http {

inline constexpr const char* kNoIpv6 = "this machine has no IPv6 loopback address";

// Reports whether a socket can listen on ::1.
inline bool HasIpv6() {
  const int descriptor = socket(AF_INET6, SOCK_STREAM, 0);
  if (descriptor < 0) return false;
  const sockaddr_in6 address{.sin6_family = AF_INET6,
                             .sin6_port = 0,
                             .sin6_flowinfo = 0,
                             .sin6_addr = IN6ADDR_LOOPBACK_INIT,
                             .sin6_scope_id = 0};
  const bool bound =
      bind(descriptor, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
  close(descriptor);
  return bound;
}

}  // namespace berth::http
