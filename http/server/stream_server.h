// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "http/headers.h"
#include "http/message.h"
#include "http/timer.h"
#include "http/tls.h"

namespace berth::http {

// Peer is the sender of a request.
struct Peer {
  std::string address;        // "127.0.0.1:40000", "[::1]:40000"
  bool is_certified = false;  // presented a trusted client certificate
  // From that certificate; empty without one.
  std::string common_name;
  std::vector<std::string> organizations;
  std::string certificate_error;  // why the presented certificate is not trusted
};

// Stream is a response body that is written in pieces: a watch. Used only on the server's thread.
class Stream {
 public:
  using Piece = std::shared_ptr<const std::string>;

  // Events of a stream; never called inside a call of the stream.
  struct Events {
    std::function<void()> drained;  // all pieces were sent; write more now
    std::function<void()> closed;   // the peer is gone or too slow, or the server stops; once, not
                                    // after Close or Abort
  };

  virtual ~Stream() = default;

  // Queues a piece. Returns false if the stream has ended: closed, or aborted now because more than
  // StreamServerOptions::max_stream_buffer_bytes would be buffered.
  virtual bool Write(Piece piece) = 0;

  // Number of unsent bytes. Writers pause above about 100 KiB until `drained`.
  virtual size_t buffered() const = 0;

  // Close ends the body cleanly after the queued pieces; Abort breaks the connection.
  virtual void Close() = 0;
  virtual void Abort() = 0;
};

namespace internal {
class PendingRequest;
}

// Responder answers one request, now or later, once; used only on the server's thread. An unused
// Responder answers 500 on destruction. It may outlive the connection and the server: its calls
// then do nothing.
class Responder {
 public:
  explicit Responder(std::shared_ptr<internal::PendingRequest> exchange);
  Responder(Responder&&) noexcept = default;
  Responder& operator=(Responder&& other) noexcept;
  ~Responder();

  const Peer& peer() const;

  // Sends a whole response; large bodies are compressed for clients that accept it.
  void Send(Response response);

  // Sends the headers at once; the body is written later. The connection stays open for further
  // requests if the stream is closed cleanly.
  std::shared_ptr<Stream> Open(int code, Headers headers, Stream::Events events);

  // Breaks the connection without a response.
  void Drop();

 private:
  std::shared_ptr<internal::PendingRequest> exchange_;  // null after use
};

struct StreamServerOptions {
  // IPv4 or IPv6 literal. "0.0.0.0" and "::" both listen on every address of both families, or of
  // IPv4 only without IPv6 support. Source: Go net, favoriteAddrFamily, as used by kube-scheduler.
  std::string address = "127.0.0.1";
  uint16_t port = 0;                    // 0: any free one, see StreamServer::port()
  std::optional<ServerTlsOptions> tls;  // without: plain text

  // At the limit, responses close their connections. Beyond it, a new connection replaces the one
  // that has waited longest for its peer. If all connections are streams or wait for the handler,
  // the new one is closed at once.
  size_t max_connections = 1024;
  // Size of a header, of a chunk's size line, and of a trailer.
  size_t max_header_bytes = 64 << 10;
  size_t max_body_bytes = 4 << 20;  // 0: no request has a body
  // Total of unread response bodies, without streams. Beyond it, the response that has waited
  // longest is aborted.
  size_t max_unsent_bytes = size_t{1} << 30;
  size_t max_stream_buffer_bytes = 16 << 20;
  size_t gzip_from_bytes = 128 << 10;  // minimum size for compression, as upstream

  // Limits the handshake, the wait for the first request, one request, and a response without
  // progress.
  std::chrono::milliseconds request_timeout = std::chrono::seconds(10);
  // Of a persistent connection between requests.
  std::chrono::milliseconds idle_timeout = std::chrono::seconds(90);
  // For unfinished responses when the server stops.
  std::chrono::milliseconds stop_grace = std::chrono::seconds(1);

  // Builds the response to an unreadable request from the code and the reason. Unset: plain text.
  // Runs on the server's thread.
  std::function<Response(int code, std::string why)> reject;
};

// StreamServer serves HTTP/1.1, plain or over TLS, on one thread: the handler, stream events,
// timers and posted functions run there one after the other, so that their shared state needs no
// lock. None of them may block.
//
// The server itself answers (see `reject`): 400 not HTTP, 408 body timeout, 413 body too large, 431
// header too large. Idle connections and connections with a late header are closed without a
// response. Requests on one connection are handled one by one.
class StreamServer {
 public:
  using Handler = std::function<void(Request, Responder)>;

  // Opens the address; connections are accepted after Serve. Errors (kConfig) name the address or
  // the certificate.
  static Result<std::unique_ptr<StreamServer>> Listen(StreamServerOptions options);

  // The destructor stops accepting, ends idle connections and streams, allows unfinished responses
  // stop_grace to finish, aborts the rest and joins. Posted functions and timers are dropped.
  virtual ~StreamServer() = default;

  // Starts the thread. Call it once. If the handler throws, the response is 500.
  virtual void Serve(Handler handler) = 0;

  virtual uint16_t port() const = 0;
  virtual std::string url() const = 0;  // "https://127.0.0.1:6443"

  // Runs a function on the server's thread, in the order of calls; from any thread.
  virtual void Post(std::function<void()> function) = 0;

  // The timer of the server's thread; callbacks of the same time run in the order of After; from
  // any thread.
  virtual Timer& timer() = 0;
};

}  // namespace berth::http
