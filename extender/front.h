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
  // For one question to arrive.
  std::chrono::milliseconds request_timeout = std::chrono::seconds(10);
  // All but questions: health, metrics, version. On the server's thread.
  std::function<http::Response(const http::Request&)> pages;
};

// Front is the HTTP side of a service: POST at the paths of its routes, and pages. A slow or endless
// body keeps nobody waiting: only whole questions reach the service.
//
// Where client certificates are asked for (tls.client_ca), a question without one that is trusted is
// answered 401, whatever the verb; the pages are for everybody.
class Front {
 public:
  // Start refuses (kConfig) to serve bind or preempt to whoever comes along: they are for a loopback
  // address, or for clients with a certificate. Requires: the service was started and outlives this.
  static Result<std::unique_ptr<Front>> Start(Service& service, FrontOptions options);

  ~Front();

  uint16_t port() const { return server_->port(); }
  std::string url() const { return server_->url(); }

 private:
  Front(Service& service, FrontOptions options) : service_(service), options_(std::move(options)) {}

  void Handle(http::Request request, http::Responder responder);
  // Refusal is why this request is no question for the service, if it is none.
  std::optional<http::Response> Rejection(const http::Request& request,
                                          const http::Peer& peer) const;

  Service& service_;
  const FrontOptions options_;
  // Of the server's thread: who waits for an answer.
  std::map<uint64_t, http::Responder> waiting_;
  uint64_t last_ = 0;
  // Answers still come from the service when this is gone.
  struct Alive;
  std::shared_ptr<Alive> alive_;
  std::unique_ptr<http::StreamServer> server_;  // last: its thread uses the rest
};

}  // namespace berth::extender
