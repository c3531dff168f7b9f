// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>

#include "extender/service.h"
#include "http/server/stream_server.h"

namespace berth::extender {

struct FrontOptions {
  std::string address = "127.0.0.1";
  uint16_t port = 0;  // 0: any free one
  std::optional<http::ServerTlsOptions> tls;
  size_t max_body_bytes = size_t{64} << 20;
  size_t max_connections = 256;
  // Maximum time to receive one request.
  std::chrono::milliseconds request_timeout = std::chrono::seconds(10);
  // Handles all other paths: health, metrics, version. On the server's thread.
  std::function<http::Response(const http::Request&)> pages;
};

// Front is the HTTP server of a service: POST at the paths of its routes, and pages. A slow or
// endless body delays no other request, because the service receives only complete requests.
//
// If client certificates are required (tls.client_ca), a request without a trusted certificate is
// answered 401, for every verb; the pages need no certificate.
class Front {
 public:
  // Starts the server. Rejects (kConfig) bind and preempt unless the address is a loopback address
  // or client certificates are required. Requires: the service was started and outlives this.
  static Result<std::unique_ptr<Front>> Start(Service& service, FrontOptions options);

  ~Front();

  uint16_t port() const { return server_->port(); }
  std::string url() const { return server_->url(); }

 private:
  Front(Service& service, FrontOptions options) : service_(service), options_(std::move(options)) {}

  void Handle(http::Request request, http::Responder responder);
  // Returns the response to a request that is not passed to the service, or nullopt.
  std::optional<http::Response> Rejection(const http::Request& request,
                                          const http::Peer& peer) const;

  Service& service_;
  const FrontOptions options_;
  // Used on the server's thread: requests without a response yet.
  std::map<uint64_t, http::Responder> waiting_;
  uint64_t last_ = 0;
  // The service may still respond after this is destroyed.
  struct Alive;
  std::shared_ptr<Alive> alive_;
  std::unique_ptr<http::StreamServer> server_;  // last: its thread uses the rest
};

}  // namespace berth::extender
