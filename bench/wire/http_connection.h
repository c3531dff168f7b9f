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

// WireRequest is one request. Its head has as few bytes as the clients of Kubernetes send.
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
  std::string body;  // as sent: compressed if requested
};

// HttpConnection exchanges requests with a server over one keep-alive connection, and reads
// streams. It costs little CPU, because the benchmark measures the server. For one thread.
class HttpConnection {
 public:
  struct Options {
    uint16_t port = 0;
    std::optional<http::TlsOptions> tls;
    std::string token;  // bearer token; empty: none
  };

  static Result<HttpConnection> Connect(const Options& options);

  // Call exchanges one request. Send and Poll do the same in parts: Poll reads the received bytes
  // and returns the response once it is complete. Errors: the connection broke, or the bytes are
  // not HTTP.
  Result<WireAnswer> Call(const WireRequest& request);
  Result<void> Send(const WireRequest& request);
  Result<std::optional<WireAnswer>> Poll();

  // Open sends a request and waits for the head of the response. Read then appends the received
  // part of the body; it returns false at the end. Requires: the body is chunked.
  Result<void> Open(const WireRequest& request);
  Result<bool> Read(std::string& body);

  int descriptor() const { return wire_->descriptor(); }
  // Reports buffered data that the descriptor does not announce.
  bool has_pending() const { return at_ < in_.size() || wire_->pending() > 0; }

 private:
  HttpConnection(std::unique_ptr<http::Wire> wire, std::string head)
      : wire_(std::move(wire)), common_head_(std::move(head)) {}

  Result<void> Receive();
  bool ReadHead();
  bool ReadChunks(std::string& body);

  std::unique_ptr<http::Wire> wire_;
  std::string common_head_;  // header lines of all requests
  std::string out_;
  std::string in_;  // received, not yet read
  size_t at_ = 0;   // offset of the unread part

  // State of the response that is being read.
  bool in_body_ = false;
  bool chunked_ = false;
  size_t left_ = 0;  // bytes left of the body, or of the chunk
  WireAnswer answer_;
};

}  // namespace berth::bench
