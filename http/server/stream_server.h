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

// Peer is who sent a request.
struct Peer {
  std::string address;        // "127.0.0.1:40000", "[::1]:40000"
  bool is_certified = false;  // it has shown a client certificate that is trusted
  // Of that certificate; empty without one.
  std::string common_name;
  std::vector<std::string> organizations;
  std::string certificate_error;  // why the certificate that came is not trusted
};

// Stream is the body of an answer that is written piece by piece: a watch. Used on the server's
// thread only.
class Stream {
 public:
  using Piece = std::shared_ptr<const std::string>;

  // Events of a stream; neither is called inside a call of the stream.
  struct Events {
    std::function<void()> drained;  // all that was written has left; time to write more
    std::function<void()> closed;   // the peer is gone, or too slow, or the server stops; once, and
                                    // not after Close or Abort
  };

  virtual ~Stream() = default;

  // Write queues a piece. False when the stream is over: closed, or cut now because more than
  // StreamServerOptions::max_stream_buffer_bytes would wait.
  virtual bool Write(Piece piece) = 0;

  // How many bytes wait for the peer. Writers pause above some 100 KiB until `drained`.
  virtual size_t buffered() const = 0;

  // Close ends the body properly behind what was written; Abort breaks the connection off.
  virtual void Close() = 0;
  virtual void Abort() = 0;
};

namespace internal {
class PendingRequest;
}

// Responder answers one request, now or later, once; used on the server's thread only. One that is
// destroyed unused answers 500. It may outlive the connection and the server: its calls then do
// nothing.
class Responder {
 public:
  explicit Responder(std::shared_ptr<internal::PendingRequest> exchange);
  Responder(Responder&&) noexcept = default;
  Responder& operator=(Responder&& other) noexcept;
  ~Responder();

  const Peer& peer() const;

  // Send answers with the whole body; large ones are compressed for clients that accept it.
  void Send(Response response);

  // Open answers with a body that is written later. The headers leave at once. The connection is
  // kept for further requests when the stream was closed properly.
  std::shared_ptr<Stream> Open(int code, Headers headers, Stream::Events events);

  // Drop breaks the connection off without an answer.
  void Drop();

 private:
  std::shared_ptr<internal::PendingRequest> exchange_;  // null when it was used
};

struct StreamServerOptions {
  // IPv4 or IPv6 literal. "0.0.0.0" and "::" alike are every address of both families, or of IPv4
  // where the machine has no IPv6. Source: Go net, favoriteAddrFamily, by which kube-scheduler
  // listens.
  std::string address = "127.0.0.1";
  uint16_t port = 0;                    // 0: any free one, see StreamServer::port()
  std::optional<ServerTlsOptions> tls;  // without: plain text

  // At it, answers are the last of their connections; beyond it, the connection whose peer has kept
  // us waiting longest makes room for a new one. When all are streams, or wait for the handler, the
  // new one is closed at once.
  size_t max_connections = 1024;
  // Of a header; and of the line before a chunk, and of a trailer.
  size_t max_header_bytes = 64 << 10;
  size_t max_body_bytes = 4 << 20;  // 0: no request has a body
  // Of answers that their peers do not take, streams apart. Beyond it, the one that has waited
  // longest is broken off.
  size_t max_unsent_bytes = size_t{1} << 30;
  size_t max_stream_buffer_bytes = 16 << 20;
  size_t gzip_from_bytes = 128 << 10;  // size of a body that is worth compressing, as upstream

  // For the handshake, until a first request begins, for one request, and without progress of an
  // answer.
  std::chrono::milliseconds request_timeout = std::chrono::seconds(10);
  // Of a kept connection between requests.
  std::chrono::milliseconds idle_timeout = std::chrono::seconds(90);
  // For answers under way when the server stops.
  std::chrono::milliseconds stop_grace = std::chrono::seconds(1);

  // How requests are refused that could not be read: the code, and why in words. Without it with
  // these words as text. On the server's thread.
  std::function<Response(int code, std::string why)> reject;
};

// StreamServer serves HTTP/1.1, plain or over TLS, from one thread: the handler, the events of
// streams, timers and posted functions all run there, one after the other, so that what they share
// needs no lock. None of them may block.
//
// Answered by itself (see `refuse`): 400 no HTTP, 408 a body that does not come, 413 body too
// large, 431 header too large. A header that does not come, and an idle connection, are closed
// without a word. Requests on one connection are handled one by one.
class StreamServer {
 public:
  using Handler = std::function<void(Request, Responder)>;

  // Listen opens the address; nothing is accepted before Serve. Errors (kConfig) name the address
  // or the certificate.
  static Result<std::unique_ptr<StreamServer>> Listen(StreamServerOptions options);

  // The destructor stops accepting, ends idle connections and streams, lets answers under way
  // finish within stop_grace, breaks off the rest and joins. What is posted or timed is dropped.
  virtual ~StreamServer() = default;

  // Serve starts the thread. Called once. A handler that throws is answered with 500.
  virtual void Serve(Handler handler) = 0;

  virtual uint16_t port() const = 0;
  virtual std::string url() const = 0;  // "https://127.0.0.1:6443"

  // Post runs a function on the server's thread, in the order of calls; from any thread.
  virtual void Post(std::function<void()> function) = 0;

  // The timer whose callbacks run on the server's thread, those of the same moment in the order
  // they were asked for; from any thread.
  virtual Timer& timer() = 0;
};

}  // namespace berth::http
