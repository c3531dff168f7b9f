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

  // See StreamServerOptions: what all connections hold together stays below some MiB, and one that
  // says nothing never keeps a probe out.
  size_t max_connections = 64;
  size_t max_header_bytes = 16 << 10;
  size_t max_body_bytes = 0;
  size_t max_unsent_bytes = 4 << 20;
  std::chrono::milliseconds request_timeout = std::chrono::seconds(5);
  // Of a kept connection between requests.
  std::chrono::milliseconds idle_timeout = std::chrono::seconds(90);
};

// Server answers HTTP/1.1 requests on one address at once: health and metrics. It is a StreamServer
// for handlers that have nothing to stream and nothing to wait for. The handler runs on the
// server's thread; one that throws is answered with 500.
class Server {
 public:
  // Request::target is as received; Request::timeout and lane mean nothing here. Response::headers
  // without Content-Type get text/plain, unless the body is empty.
  using Handler = std::function<Response(const Request&)>;

  // Start listens before it returns. Errors (kConfig) name the address: not an address, in use, not
  // allowed.
  static Result<std::unique_ptr<Server>> Start(ServerOptions options, Handler handler);

  // The destructor stops accepting, lets answers being written finish within a second, closes the
  // rest and joins.
  virtual ~Server() = default;

  virtual uint16_t port() const = 0;
};

}  // namespace berth::http
