// SPDX-License-Identifier: Apache-2.0
#include "http/server/server.h"

#include <exception>
#include <utility>

#include "base/log.h"
#include "http/server/stream_server.h"

namespace berth::http {
namespace {

class SimpleServer final : public Server {
 public:
  explicit SimpleServer(std::unique_ptr<StreamServer> server) : server_(std::move(server)) {}
  uint16_t port() const override { return server_->port(); }

 private:
  const std::unique_ptr<StreamServer> server_;
};

Response Answer(const Server::Handler& handler, const Request& request) {
  try {
    return handler(request);
  } catch (const std::exception& error) {
    log::Error("HTTP handler failed", {{"target", request.target}, {"err", error.what()}});
    return {.code = 500, .body = "internal error\n"};
  }
}

}  // namespace

Result<std::unique_ptr<Server>> Server::Start(ServerOptions options, Handler handler) {
  BERTH_TRY(auto server, StreamServer::Listen({.address = std::move(options.address),
                                               .port = options.port,
                                               .max_connections = options.max_connections,
                                               .max_header_bytes = options.max_header_bytes,
                                               .max_body_bytes = options.max_body_bytes,
                                               .max_unsent_bytes = options.max_unsent_bytes,
                                               .request_timeout = options.request_timeout,
                                               .idle_timeout = options.idle_timeout}));
  server->Serve([handler = std::move(handler)](const Request& request, Responder responder) {
    responder.Send(Answer(handler, request));
  });
  return std::make_unique<SimpleServer>(std::move(server));
}

}  // namespace berth::http
