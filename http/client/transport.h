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

// LineStream is the body of a response that arrives in lines over a long time: a watch. One
// consumer thread reads it; when it reads slowly, the peer is slowed down, so memory stays bounded
// by TransportOptions::stream_buffer_bytes. Destroying the stream gives up the exchange.
class LineStream {
 public:
  virtual ~LineStream() = default;

  virtual int code() const = 0;
  virtual const Headers& headers() const = 0;

  // Next blocks for the next line, without its newline; nullopt is a clean end of the body. Errors:
  // kCanceled after the stop token of Open; kTimeout when nothing arrived for the silence limit;
  // kUnavailable when the connection broke; kRequestEntityTooLarge for a line above the limit.
  // After an error or the end every further call gives the same again.
  virtual Result<std::optional<std::string>> Next() = 0;
};

// Transport exchanges requests with one server. Thread safe.
//
// Bodies are not compressed: cpprestsdk's decompression loses the end of a chunk that unpacks to
// much more than its size, as lists of like objects do. kube-scheduler turns compression off, too.
//
// At least once: a request on a reused connection that the server closes before it answers may be
// sent a second time, a POST too. Callers create with fixed names and treat a conflict as "look who
// did it". After kUnavailable and kTimeout it is unknown whether the server acted.
class Transport {
 public:
  using Done = std::function<void(Result<Response>)>;

  virtual ~Transport() = default;

  // Send starts one exchange; `done` is called exactly once, on a thread of the transport, never
  // inside Send. It must be short and must not block (BlockingAllowed() is false there). Any HTTP
  // code is a Response; errors are kUnavailable (refused, reset, name, TLS), kTimeout,
  // kRequestEntityTooLarge (a body above Request::max_body_bytes), kCanceled (stop token, or the
  // transport is being destroyed), and name the address.
  virtual void Send(Request request, Done done, std::stop_token stop = {}) = 0;

  // Open starts an exchange whose body is read by lines and returns when the headers are there,
  // whatever the code. `stop` ends it also later, in Next(). Request::timeout bounds the wait for
  // the headers only; of the body, lines and silence are bounded (TransportOptions), not the size.
  // Blocks: not for threads of the transport.
  virtual Result<std::unique_ptr<LineStream>> Open(Request request, std::stop_token stop = {}) = 0;

  // Call is Send that waits. Blocks: not for threads of the transport.
  Result<Response> Call(Request request, std::stop_token stop = {});
};

// Library is what carries the bytes.
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

  // Absent: cpprestsdk wherever it can, libcurl where the host is an IPv6 address, which cpprestsdk
  // cannot resolve.
  std::optional<Library> library = std::nullopt;
};

// CreateTransport makes a transport: HTTP/1.1, redirects not followed, no proxy, connections kept.
// It checks what can be checked before the first request: URL, readable certificates, certificate
// and key as a pair. No connection is made yet. Errors (kConfig) name the option.
Result<std::unique_ptr<Transport>> CreateTransport(TransportOptions options);

// BlockingAllowed is false on threads that run callbacks of a transport.
bool BlockingAllowed();

}  // namespace berth::http
