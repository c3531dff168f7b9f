// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>

#include "base/error.h"
#include "http/message.h"
#include "http/tls.h"

namespace berth::http {

// LineStream is the body of a long-lived response that consists of lines: a watch. One consumer
// thread reads it. A slow consumer slows down the peer, so memory is bounded by
// TransportOptions::stream_buffer_bytes. Destroying the stream cancels the exchange.
class LineStream {
 public:
  virtual ~LineStream() = default;

  virtual int code() const = 0;
  virtual const Headers& headers() const = 0;

  // Blocks until the next line, returned without its newline; nullopt is a clean end of the body.
  // Errors: kCanceled after the stop token of Open; kTimeout if nothing arrived for the silence
  // limit; kUnavailable if the connection broke; kRequestEntityTooLarge for a line above the limit.
  // After an error or the end every further call returns the same.
  virtual Result<std::optional<std::string>> Next() = 0;
};

// Transport sends requests to one server. Thread safe.
//
// Bodies are not compressed: cpprestsdk's decompression loses the end of a chunk that unpacks to
// much more than its size, which happens for lists of similar objects. kube-scheduler disables
// compression, too.
//
// Delivery is at least once: a request on a reused connection that the server closes before it
// answers may be sent a second time, even a POST. Callers create objects with fixed names and read
// the object after a conflict. After kUnavailable and kTimeout it is unknown whether the server
// acted.
class Transport {
 public:
  using Done = std::function<void(Result<Response>)>;

  virtual ~Transport() = default;

  // Starts one exchange. `done` runs exactly once, on a thread of the transport, never inside Send.
  // It must be short and must not block (BlockingAllowed() is false there). Any HTTP code is a
  // Response. Errors name the address: kUnavailable (not connected, reset, name, TLS), kTimeout,
  // kRequestEntityTooLarge (a body above Request::max_body_bytes), kCanceled (stop token, or the
  // transport is being destroyed).
  virtual void Send(Request request, Done done, std::stop_token stop = {}) = 0;

  // Starts an exchange with a body that is read by lines. Returns when the headers have arrived,
  // for any code. `stop` also ends the stream later, in Next(). Request::timeout bounds only the
  // wait for the headers; the body has limits for lines and silence (TransportOptions), but none
  // for its size. Blocks: not for threads of the transport.
  virtual Result<std::unique_ptr<LineStream>> Open(Request request, std::stop_token stop = {}) = 0;

  // Sends a request and waits for the response. Blocks: not for threads of the transport.
  Result<Response> Call(Request request, std::stop_token stop = {});
};

// Library selects the HTTP library.
enum class Library { kCpprest, kCurl };

struct TransportOptions {
  std::string url;  // https://host:port[/prefix]; http is allowed, for tests and tunnels
  TlsOptions tls;

  // Requests in flight per lane; the plateau measured in the design notes is 4 to 16.
  size_t normal_limit = 16;
  size_t urgent_limit = 4;
  // Of a stream: bookmarks come each minute.
  std::chrono::milliseconds silence_limit = std::chrono::seconds(75);
  size_t max_line_bytes = 16 << 20;
  size_t stream_buffer_bytes = 8 << 20;  // lines read ahead of the consumer of one stream

  // Absent: cpprestsdk, or libcurl if the host is an IPv6 address, which cpprestsdk cannot resolve.
  std::optional<Library> library = std::nullopt;
};

// Creates a transport: HTTP/1.1, no redirects, no proxy, persistent connections. Checks the URL,
// that certificates are readable, and that certificate and key match. Opens no connection yet.
// Errors (kConfig) name the option.
Result<std::unique_ptr<Transport>> CreateTransport(TransportOptions options);

// Returns false on threads that run callbacks of a transport.
bool BlockingAllowed();

}  // namespace berth::http
