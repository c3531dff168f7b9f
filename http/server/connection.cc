// SPDX-License-Identifier: Apache-2.0
#include "http/server/connection.h"

#include <algorithm>
#include <exception>
#include <utility>

#include <boost/asio/post.hpp>
#include <boost/beast/http/error.hpp>

#include "base/log.h"
#include "http/server/gzip.h"

namespace berth::http {
namespace {

namespace asio = boost::asio;
namespace wire = boost::beast::http;
using boost::system::error_code;
using std::chrono::milliseconds;
using std::chrono::steady_clock;

constexpr size_t kReadBytes = 16 << 10;
constexpr size_t kBodyReadBytes = 128 << 10;
constexpr milliseconds kClosingLimit = std::chrono::seconds(1);

// Returns the status code for an unreadable request.
int CodeFor(error_code error) {
  if (error == wire::error::body_limit) return 413;
  if (error == wire::error::header_limit) return 431;
  return 400;
}

Request FromWire(wire::request<wire::string_body> message) {
  Request request;
  request.method = std::string(message.method_string());
  request.target = std::string(message.target());
  for (const auto& field : message) {
    request.headers.Add(std::string(field.name_string()), std::string(field.value()));
  }
  request.body = std::move(message.body());
  return request;
}

}  // namespace

Connection::Connection(std::unique_ptr<Channel> channel, ConnectionHost& host)
    : channel_(std::move(channel)),
      host_(host),
      timer_(host.io),
      buffer_(host.options.max_header_bytes + kBodyReadBytes) {}

void Connection::Start() {
  SetDeadline(host_.options.request_timeout);
  channel_->Handshake(Tracked([this](error_code error, size_t) {
    if (state_ != State::kHandshake) return;
    if (error) return Close();
    peer_ = channel_->peer();
    AwaitRequest(host_.options.request_timeout);
  }));
}

void Connection::AwaitRequest(milliseconds limit) {
  if (stopping_) return Finish();
  state_ = State::kIdle;
  turn_began_ = steady_clock::now();
  parser_.emplace();
  parser_->eager(true);
  parser_->header_limit(static_cast<uint32_t>(host_.options.max_header_bytes));
  parser_->body_limit(host_.options.max_body_bytes);
  SetDeadline(limit);
  if (buffer_.size() > 0) return Parse();
  Read();
}

// One read is always pending, except while a request is handled or received data is queued.
void Connection::Read() {
  if (reading_) return;
  reading_ = true;
  const size_t size = state_ == State::kBody ? kBodyReadBytes : kReadBytes;
  channel_->ReadSome(buffer_.prepare(size),
                     Tracked([this](error_code error, size_t read) { OnRead(error, read); }));
}

void Connection::OnRead(error_code error, size_t size) {
  reading_ = false;
  if (state_ == State::kClosed) return;
  if (error) return Close();
  buffer_.commit(size);
  switch (state_) {
    case State::kIdle:
    case State::kHeader:
    case State::kBody:
      return Parse();
    case State::kClosing:
      buffer_.consume(buffer_.size());
      return Read();
    default:
      return;  // the next request stays in the buffer
  }
}

void Connection::Parse() {
  if (state_ == State::kIdle) {
    state_ = State::kHeader;
    SetDeadline(host_.options.request_timeout);
  }
  error_code error;
  size_t taken = 1;
  while (!error && taken > 0 && !parser_->is_done() && buffer_.size() > 0) {
    taken = parser_->put(buffer_.data(), error);
    buffer_.consume(taken);
  }
  if (!error || error == wire::error::need_more) error = Overflow();
  if (error) return RejectRequest(error);
  if (parser_->is_done()) return Handle();
  if (state_ == State::kHeader && parser_->is_header_done()) {
    state_ = State::kBody;
    const auto expect = parser_->get().find(wire::field::expect);
    if (expect != parser_->get().end()) return AllowBody();
  }
  Read();
}

// Checks limits that the parser lacks: it limits the data of chunks, but neither chunk size lines
// nor trailers, and it does not treat chunks as a body where bodies are not allowed.
error_code Connection::Overflow() const {
  const bool is_rejected =
      host_.options.max_body_bytes == 0 && parser_->is_header_done() && parser_->chunked();
  const bool is_endless = !parser_->is_done() && buffer_.size() > host_.options.max_header_bytes;
  return is_rejected || is_endless ? wire::error::body_limit : error_code();
}

// The client waits for 100 Continue before it sends a large body.
void Connection::AllowBody() {
  head_ = "HTTP/1.1 100 Continue\r\n\r\n";
  WriteOut({asio::buffer(head_)}, [this] {
    SetDeadline(host_.options.request_timeout);
    Read();
  });
}

void Connection::RejectRequest(error_code error) {
  is_head_ = false;
  Reject(CodeFor(error), error.message());
}

void Connection::Reject(int code, std::string why) {
  keep_alive_ = false;
  lingers_ = true;
  const auto& reject = host_.options.reject;
  Write(reject ? reject(code, std::move(why)) : Response{.code = code, .body = why + "\n"});
}

void Connection::Handle() {
  state_ = State::kHandling;
  ClearDeadline();
  const auto& message = parser_->get();
  keep_alive_ = message.keep_alive() && !stopping_ && !host_.is_full;
  is_head_ = message.method() == wire::verb::head;
  chunks_ = message.version() >= 11;
  const auto accepts = message.find(wire::field::accept_encoding);
  accepts_gzip_ =
      accepts != message.end() && AcceptsGzip({accepts->value().data(), accepts->value().size()});
  Request request = FromWire(parser_->release());
  try {
    host_.handler(std::move(request), Responder(shared_from_this()));
  } catch (const std::exception& error) {
    // The destructor of its Responder has answered.
    log::Error("HTTP handler failed", {{"err", error.what()}});
  }
}

void Connection::Finish() {
  if (state_ == State::kClosing || state_ == State::kClosed) return;
  state_ = State::kClosing;
  SetDeadline(std::min(kClosingLimit, host_.options.request_timeout));
  buffer_.consume(buffer_.size());
  channel_->ShutdownSend(Tracked([this](error_code error, size_t) {
    if (state_ != State::kClosing) return;
    if (error || !lingers_) return Close();
    Read();
  }));
}

void Connection::Stop() {
  stopping_ = true;
  keep_alive_ = false;
  switch (state_) {
    case State::kHandshake:
    case State::kIdle:
    case State::kHeader:
    case State::kBody:
      return Close();
    case State::kStreaming:
      return EndStream();
    default:
      return;
  }
}

std::optional<steady_clock::time_point> Connection::WaitingForPeerSince() const {
  switch (state_) {
    case State::kHandling:
    case State::kStreaming:
    case State::kClosed:
      return std::nullopt;
    default:
      return turn_began_;
  }
}

void Connection::Close() {
  if (state_ == State::kClosed) return;
  state_ = State::kClosed;
  channel_->Close();
  timer_->cancel();
  SetUnsent(0);
  const auto self = shared_from_this();
  host_.forget(this);
  DropStream();
  ReleaseIfUnused();
}

// Posted, because the caller may be inside the socket's own callback.
void Connection::ReleaseIfUnused() {
  if (callbacks_due_ > 0) return;
  asio::post(host_.io, [self = shared_from_this()] {
    self->channel_.reset();
    self->timer_.reset();
  });
}

// Restarts the timer only if it would fire too late: most deadlines are moved, not reached.
void Connection::SetDeadline(milliseconds wait) {
  deadline_ = steady_clock::now() + wait;
  if (!timer_runs_ || deadline_ < timer_->expiry()) AwaitDeadline();
}

void Connection::ClearDeadline() { deadline_ = steady_clock::time_point::max(); }

void Connection::AwaitDeadline() {
  timer_runs_ = true;
  timer_->expires_at(deadline_);
  timer_->async_wait(Tracked([this](error_code error, size_t) {
    if (error) return;  // set again, or closed
    timer_runs_ = false;
    if (state_ == State::kClosed) return;
    if (deadline_ <= steady_clock::now()) return OnDeadline();
    if (deadline_ != steady_clock::time_point::max()) AwaitDeadline();
  }));
}

void Connection::OnDeadline() {
  if (state_ == State::kBody && !writing_) return Reject(408, "the body did not come in time");
  Close();
}

}  // namespace berth::http
