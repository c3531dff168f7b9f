// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/thread_pool.hpp>

// Beast 1.74 asserts five bytes of a last chunk although four may have come; it reads them
// correctly. A build with assertions would abort. Every header includes boost/assert.hpp.
#define BOOST_DISABLE_ASSERTS
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/string_body.hpp>
#undef BOOST_DISABLE_ASSERTS

#include "http/server/channel.h"
#include "http/server/stream_server.h"

namespace berth::http {

class Connection;

// ConnectionHost is the server's state that connections use; it outlives their Close.
struct ConnectionHost {
  const StreamServerOptions& options;
  boost::asio::io_context& io;
  boost::asio::thread_pool& compressors;  // compresses bodies outside the server's thread
  std::function<void(Request, Responder)> handler;
  std::function<void(Connection*)> forget;  // called once, at Close
  std::function<void()> on_unsent;          // called when unsent_bytes has grown
  size_t unsent_bytes = 0;                  // of response bodies, without streams
  bool is_full = false;                     // at max_connections: responses close their connections
};

namespace internal {

// PendingRequest is a request without a response yet, as a Responder sees it.
class PendingRequest {
 public:
  virtual ~PendingRequest() = default;
  virtual const Peer& peer() const = 0;
  virtual void Send(Response response) = 0;
  virtual std::shared_ptr<Stream> Open(int code, Headers headers, Stream::Events events) = 0;
  virtual void Drop() = 0;
};

}  // namespace internal

// Connection reads a request, passes it to the handler, writes the response, and repeats:
//
//   kHandshake -> kIdle -> kHeader -> kBody -> kHandling -> kAnswering -+-> kIdle
//                   |         |         |          +-----> kStreaming --+
//                   |         |         | too late, too large           | last answer
//                   v         v         v                               v
//                 kClosed  kClosed   kAnswering (the last) ---------> kClosing -> kClosed
//
// In kClosing the response has been sent. If the request was not read to its end, the connection
// discards the remaining input; otherwise the peer would receive a reset before it reads the
// response. Thread: the io_context's. A closed connection releases its socket and timer after their
// last callbacks, so that a Responder may outlive the io_context.
class Connection final : public internal::PendingRequest,
                         public std::enable_shared_from_this<Connection> {
 public:
  Connection(std::unique_ptr<Channel> channel, ConnectionHost& host);

  void Start();
  // Closes the connection after the current response; ends streams cleanly.
  void Stop();
  // Closes the connection now.
  void Close();

  // Returns since when the connection waits for the peer: for a request or a part of one, or for
  // the peer to read its response. Small progress does not reset it. nullopt while the handler
  // works, and for streams.
  std::optional<std::chrono::steady_clock::time_point> WaitingForPeerSince() const;
  // Number of bytes of a response that the peer has not read; streams count their own.
  size_t unsent() const { return unsent_; }

  const Peer& peer() const override { return peer_; }
  void Send(Response response) override;
  std::shared_ptr<Stream> Open(int code, Headers headers, Stream::Events events) override;
  void Drop() override { Close(); }

 private:
  class ChunkedStream;
  enum class State {
    kHandshake,
    kIdle,
    kHeader,
    kBody,
    kHandling,
    kAnswering,
    kStreaming,
    kClosing,
    kClosed
  };
  using Parser = boost::beast::http::request_parser<boost::beast::http::string_body>;

  // Reading.
  void AwaitRequest(std::chrono::milliseconds limit);
  void Read();
  void OnRead(boost::system::error_code error, size_t size);
  void Parse();
  boost::system::error_code Overflow() const;
  void RejectRequest(boost::system::error_code error);
  void Reject(int code, std::string why);
  void AllowBody();
  void Handle();

  // Answering.
  void Write(Response response);
  std::string Head(int code, const Headers& headers, std::optional<size_t> length) const;
  void WriteOut(std::vector<boost::asio::const_buffer> buffers, std::function<void()> then);
  void OnAnswered();
  void Compress(Response response);
  void SetUnsent(size_t size);

  // Streaming.
  void FlushSoon();
  void FlushStream();
  void EndStream();   // cleanly, and notifies the writer
  void DropStream();  // after the connection is lost

  // Ending.
  void Finish();
  // Wraps a callback of the socket or the timer: counts it and keeps this alive.
  template <class Then>
  auto Tracked(Then then);
  void ReleaseIfUnused();
  void SetDeadline(std::chrono::milliseconds wait);
  void ClearDeadline();
  void AwaitDeadline();
  void OnDeadline();

  std::unique_ptr<Channel> channel_;
  ConnectionHost& host_;
  std::optional<boost::asio::steady_timer> timer_;
  std::chrono::steady_clock::time_point deadline_;
  bool timer_runs_ = false;
  int callbacks_due_ = 0;

  State state_ = State::kHandshake;
  std::chrono::steady_clock::time_point turn_began_ = std::chrono::steady_clock::now();
  Peer peer_;
  // Holds at most one header, or chunk framing, and one read.
  boost::beast::flat_buffer buffer_;
  std::optional<Parser> parser_;
  bool reading_ = false;
  bool writing_ = false;
  bool flush_due_ = false;  // a stream flush is posted

  // State of the current request.
  bool is_head_ = false;
  bool accepts_gzip_ = false;
  bool chunks_ = true;
  bool keep_alive_ = true;
  bool lingers_ = false;  // part of the request is unread

  bool stopping_ = false;
  size_t unsent_ = 0;
  std::string head_;  // being written
  std::string body_;
  std::shared_ptr<ChunkedStream> stream_;
};

template <class Then>
auto Connection::Tracked(Then then) {
  ++callbacks_due_;
  return [self = shared_from_this(), then = std::move(then)](boost::system::error_code error,
                                                             size_t size = 0) {
    --self->callbacks_due_;
    then(error, size);
    if (self->state_ == State::kClosed) self->ReleaseIfUnused();
  };
}

}  // namespace berth::http
