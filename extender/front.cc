// SPDX-License-Identifier: Apache-2.0
#include "extender/front.h"

#include <limits>
#include <mutex>
#include <string_view>
#include <utility>

namespace berth::extender {
namespace {

http::Response ResponseOf(Answer answer) {
  http::Response response{.code = answer.code,
                          .headers = {{"Content-Type", "application/json"}},
                          .body = std::move(answer.body)};
  if (answer.code == 503) response.headers.Add("Retry-After", "1");
  return response;
}

// Reports whether only this machine can reach the address. 0.0.0.0 is not included: as a listen
// address it means every address.
bool IsLoopback(std::string_view address) {
  return address == "::1" ||
         (address.starts_with("127.") && address.find_first_not_of("0123456789.") == address.npos);
}

Result<void> CheckAuthentication(const Service& service, const FrontOptions& options) {
  const bool asks_for_certificates = options.tls && !options.tls->client_ca.empty();
  if (!service.ActsOnCluster() || asks_for_certificates || IsLoopback(options.address)) {
    return {};
  }
  return ConfigError("bindVerb and preemptVerb need client certificates at " + options.address +
                     ": set --client-ca-file, or bind to 127.0.0.1");
}

}  // namespace

// Alive posts responses to the server while it exists.
struct Front::Alive {
  std::mutex mutex;
  http::StreamServer* server = nullptr;  // guarded by mutex; null: gone

  void Post(std::function<void()> function) {
    const std::lock_guard lock(mutex);
    if (server != nullptr) server->Post(std::move(function));
  }
};

Result<std::unique_ptr<Front>> Front::Start(Service& service, FrontOptions options) {
  BERTH_TRY_VOID(CheckAuthentication(service, options));
  std::unique_ptr<Front> front(new Front(service, std::move(options)));
  const FrontOptions& wanted = front->options_;
  BERTH_TRY(front->server_,
            http::StreamServer::Listen({.address = wanted.address,
                                        .port = wanted.port,
                                        .tls = wanted.tls,
                                        .max_connections = wanted.max_connections,
                                        .max_body_bytes = wanted.max_body_bytes,
                                        // Callers are close, and latency matters more than size.
                                        .gzip_from_bytes = std::numeric_limits<size_t>::max(),
                                        .request_timeout = wanted.request_timeout,
                                        .reject = [](int code, const std::string& why) {
                                          return ResponseOf(ErrorAnswer(code, why));
                                        }}));
  front->alive_ = std::make_shared<Alive>();
  front->alive_->server = front->server_.get();
  front->server_->Serve([front = front.get()](http::Request request, http::Responder responder) {
    front->Handle(std::move(request), std::move(responder));
  });
  return front;
}

Front::~Front() {
  if (alive_ == nullptr) return;
  const std::lock_guard lock(alive_->mutex);
  alive_->server = nullptr;
}

std::optional<http::Response> Front::Rejection(const http::Request& request,
                                               const http::Peer& peer) const {
  const auto found = service_.routes().find(request.target.substr(0, request.target.find('?')));
  if (found == service_.routes().end()) return options_.pages(request);
  if (request.method != "POST") {
    auto response = ResponseOf(ErrorAnswer(405, "found " + request.method + ", expected POST"));
    response.headers.Add("Allow", "POST");
    return response;
  }
  const bool needs_certificate = options_.tls && !options_.tls->client_ca.empty();
  if (!needs_certificate || peer.is_certified) return std::nullopt;
  return ResponseOf(
      ErrorAnswer(401, peer.certificate_error.empty()
                           ? "a client certificate is required"
                           : "the client certificate is not trusted: " + peer.certificate_error));
}

void Front::Handle(http::Request request, http::Responder responder) {
  if (auto rejection = Rejection(request, responder.peer())) {
    return responder.Send(std::move(*rejection));
  }
  const uint64_t id = ++last_;
  waiting_.emplace(id, std::move(responder));
  service_.Ask(request.target.substr(0, request.target.find('?')), std::move(request.body),
               [this, alive = alive_, id](Answer answer) {
                 alive->Post([this, id, answer = std::move(answer)] {
                   if (auto found = waiting_.extract(id)) found.mapped().Send(ResponseOf(answer));
                 });
               });
}

}  // namespace berth::extender
