// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "base/error.h"
#include "http/message.h"

namespace berth::http {

struct ServerOptions {
  std::string address = "127.0.0.1";  // see StreamServerOptions
  uint16_t port = 0;                  // 0: any free one, see Server::port()

  // See StreamServerOptions: all connections together hold at most a few MiB, and idle connections
  // never keep a probe out.
  size_t max_connections = 64;
  size_t max_header_bytes = 16 << 10;
  size_t max_body_bytes = 0;
  size_t max_unsent_bytes = 4 << 20;
  std::chrono::milliseconds request_timeout = std::chrono::seconds(5);
  // Of a persistent connection between requests.
  std::chrono::milliseconds idle_timeout = std::chrono::seconds(90);
};

// Server answers HTTP/1.1 requests on one address immediately: health and metrics. It wraps a
// StreamServer for handlers that neither stream nor wait. The handler runs on the server's thread;
// if it throws, the response is 500.
class Server {
 public:
  // Request::target is as received; Request::timeout and lane are unused. A response without
  // Content-Type gets text/plain, unless its body is empty.
  using Handler = std::function<Response(const Request&)>;

  // Listens before it returns. Errors (kConfig) name the address: not an address, in use, not
  // allowed.
  static Result<std::unique_ptr<Server>> Start(ServerOptions options, Handler handler);

  // The destructor stops accepting, allows current responses one second to finish, closes the
  // remaining connections and joins.
  virtual ~Server() = default;

  virtual uint16_t port() const = 0;
};

}  // namespace berth::http
