// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "base/error.h"
#include "http/client/wire.h"
#include "http/tls.h"

namespace berth::bench {

// WireRequest is one request, its head as few bytes as clients of Kubernetes send.
struct WireRequest {
  std::string method = "GET";
  std::string target = "/";
  std::string content_type = "application/json";  // of a body
  std::string body;
  bool accepts_gzip = false;
};

inline WireRequest Post(std::string target, std::string body) {
  return {.method = "POST", .target = std::move(target), .body = std::move(body)};
}

struct WireAnswer {
  int code = 0;
  std::string body;  // as sent: compressed, if it was asked for
};

// HttpConnection exchanges requests with a server over one kept connection, and reads streams. It
// spends little: what is measured is the server. For one thread.
class HttpConnection {
 public:
  struct Options {
    uint16_t port = 0;
    std::optional<http::TlsOptions> tls;
    std::string token;  // of a bearer; empty: none
  };

  static Result<HttpConnection> Connect(const Options& options);

  // Call exchanges one request. Send and Poll do it in parts: Poll takes what has come and gives
  // the answer once it is whole. Errors: the connection broke, or what came is no HTTP.
  Result<WireAnswer> Call(const WireRequest& request);
  Result<void> Send(const WireRequest& request);
  Result<std::optional<WireAnswer>> Poll();

  // Open sends a request and waits for the head of its answer; Read then takes what has come of the
  // body and appends it. Requires: the body comes in chunks. False when it is over.
  Result<void> Open(const WireRequest& request);
  Result<bool> Read(std::string& body);

  int descriptor() const { return wire_->descriptor(); }
  // Something has come that the descriptor does not announce.
  bool has_pending() const { return at_ < in_.size() || wire_->pending() > 0; }

 private:
  HttpConnection(std::unique_ptr<http::Wire> wire, std::string head)
      : wire_(std::move(wire)), common_head_(std::move(head)) {}

  Result<void> Receive();
  bool ReadHead();
  bool ReadChunks(std::string& body);

  std::unique_ptr<http::Wire> wire_;
  std::string common_head_;  // lines that all requests have
  std::string out_;
  std::string in_;  // what came and is not read
  size_t at_ = 0;   // how much of it is

  // Of the answer that is being read.
  bool in_body_ = false;
  bool chunked_ = false;
  size_t left_ = 0;  // of the body, or of the chunk
  WireAnswer answer_;
};

}  // namespace berth::bench
