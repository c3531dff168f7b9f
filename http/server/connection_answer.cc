// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <charconv>
#include <deque>
#include <iterator>
#include <span>
#include <utility>

#include <boost/asio/post.hpp>
#include <boost/beast/http/status.hpp>

#include "http/server/connection.h"
#include "http/server/gzip.h"

// How a connection responds: at once, compressed, or in pieces.
namespace berth::http {
namespace {

namespace asio = boost::asio;
namespace wire = boost::beast::http;

constexpr size_t kPiecesAtOnce = 64;
constexpr size_t kGzipLimit = size_t{1} << 31;  // zlib counts one call in 32 bits
constexpr std::string_view kLineEnd = "\r\n";
constexpr std::string_view kLastChunk = "0\r\n\r\n";

asio::const_buffer Buffer(std::string_view text) { return {text.data(), text.size()}; }

// A line break in a value would start another header.
void AppendHeader(std::string_view name, std::string_view value, std::string& out) {
  out.append(name).append(": ");
  std::transform(value.begin(), value.end(), std::back_inserter(out),
                 [](char c) { return c == '\r' || c == '\n' || c == '\0' ? ' ' : c; });
  out.append(kLineEnd);
}

std::string ChunkHead(size_t size) {
  std::array<char, 16> digits;
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), size, 16).ptr;
  return std::string(digits.data(), end).append(kLineEnd);
}

}  // namespace

// ChunkedStream queues the pieces of one response. The writer keeps it alive; the connection
// detaches from it at the end.
class Connection::ChunkedStream final : public Stream {
 public:
  ChunkedStream(Connection* connection, Events events)
      : connection_(connection), events_(std::move(events)) {}

  bool Write(Piece piece) override {
    if (connection_ == nullptr || ending_ || cut_) return false;
    if (piece->empty()) return true;
    if (buffered_ + piece->size() > connection_->host_.options.max_stream_buffer_bytes) {
      cut_ = true;
      asio::post(connection_->host_.io,
                 [connection = connection_->shared_from_this()] { connection->Close(); });
      return false;
    }
    buffered_ += piece->size();
    queue_.push_back(std::move(piece));
    connection_->FlushSoon();
    return true;
  }

  size_t buffered() const override { return buffered_; }

  void Close() override {
    events_ = {};
    ending_ = true;
    if (connection_ != nullptr) connection_->FlushStream();
  }

  void Abort() override {
    events_ = {};
    if (connection_ != nullptr) connection_->Close();
  }

  // Moves pieces from the queue to the pieces in flight.
  std::span<const Piece> Take() {
    while (!queue_.empty() && in_flight_.size() < kPiecesAtOnce) {
      in_flight_.push_back(std::move(queue_.front()));
      queue_.pop_front();
    }
    return in_flight_;
  }
  void Sent() {
    for (const Piece& piece : in_flight_) buffered_ -= piece->size();
    in_flight_.clear();
  }
  void NotifyDrained() {
    // A copy, because the callback may release the stream.
    if (const auto drained = events_.drained) drained();
  }

  bool ending() const { return ending_; }
  // Detaches from the connection and returns the callback to run.
  std::function<void()> Detach() {
    connection_ = nullptr;
    return std::exchange(events_, {}).closed;
  }
  std::function<void()> End() {
    ending_ = true;
    return std::exchange(events_, {}).closed;
  }

 private:
  Connection* connection_;
  Events events_;
  std::deque<Piece> queue_;
  std::vector<Piece> in_flight_;
  size_t buffered_ = 0;  // of both queues
  bool ending_ = false;
  bool cut_ = false;
};

std::string Connection::Head(int code, const Headers& headers, std::optional<size_t> length) const {
  std::string head = "HTTP/1.1 " + std::to_string(code) + " ";
  const auto reason = wire::obsolete_reason(wire::int_to_status(static_cast<unsigned>(code)));
  head.append(reason.data(), reason.size()).append(kLineEnd);
  for (const auto& [name, value] : headers) AppendHeader(name, value, head);
  if (length != 0 && !headers.Find("Content-Type")) {
    AppendHeader("Content-Type", "text/plain; charset=utf-8", head);
  }
  if (length) {
    AppendHeader("Content-Length", std::to_string(*length), head);
  } else if (chunks_) {
    AppendHeader("Transfer-Encoding", "chunked", head);
  }
  if (!keep_alive_) {
    AppendHeader("Connection", "close", head);
  } else if (!chunks_) {
    AppendHeader("Connection", "keep-alive", head);  // HTTP/1.0 closes by default
  }
  return head.append(kLineEnd);
}

void Connection::Send(Response response) {
  if (state_ != State::kHandling) return;
  const size_t size = response.body.size();
  SetUnsent(size);
  if (accepts_gzip_ && size >= host_.options.gzip_from_bytes && size < kGzipLimit &&
      !response.headers.Find("Content-Encoding")) {
    return Compress(std::move(response));
  }
  Write(std::move(response));
}

void Connection::Compress(Response response) {
  asio::post(host_.compressors,
             [self = shared_from_this(), response = std::move(response), &io = host_.io]() mutable {
               response.body = Gzip(response.body);
               response.headers.Set("Content-Encoding", "gzip");
               response.headers.Add("Vary", "Accept-Encoding");
               asio::post(io, [self = std::move(self), response = std::move(response)]() mutable {
                 if (self->state_ == State::kHandling) self->Write(std::move(response));
               });
             });
}

// Counts the uncompressed size, because that text exists until compression has finished.
void Connection::SetUnsent(size_t size) {
  host_.unsent_bytes += size;
  host_.unsent_bytes -= std::exchange(unsent_, size);
  if (size > 0) host_.on_unsent();
}

void Connection::Write(Response response) {
  state_ = State::kAnswering;
  turn_began_ = std::chrono::steady_clock::now();
  head_ = Head(response.code, response.headers, response.body.size());
  body_ = std::move(response.body);
  std::vector<asio::const_buffer> buffers = {Buffer(head_)};
  if (!is_head_ && !body_.empty()) buffers.push_back(Buffer(body_));
  WriteOut(std::move(buffers), [this] { OnAnswered(); });
}

void Connection::WriteOut(std::vector<asio::const_buffer> buffers, std::function<void()> then) {
  writing_ = true;
  SetDeadline(host_.options.request_timeout);
  channel_->Write(
      std::move(buffers), [this] { SetDeadline(host_.options.request_timeout); },
      Tracked([this, then = std::move(then)](boost::system::error_code error, size_t) {
        writing_ = false;
        if (state_ == State::kClosed) return;
        if (error) return Close();
        ClearDeadline();
        then();
      }));
}

void Connection::OnAnswered() {
  std::string().swap(body_);  // assignment would keep the capacity
  SetUnsent(0);
  if (keep_alive_) return AwaitRequest(host_.options.idle_timeout);
  Finish();
}

std::shared_ptr<Stream> Connection::Open(int code, Headers headers, Stream::Events events) {
  auto stream = std::make_shared<ChunkedStream>(this, std::move(events));
  if (state_ != State::kHandling) {
    stream->Detach();
    return stream;
  }
  state_ = State::kStreaming;
  stream_ = stream;
  // Without chunks, closing the connection ends the body.
  if (!chunks_) keep_alive_ = false;
  head_ = Head(code, headers, std::nullopt);
  WriteOut({Buffer(head_)}, [this] { FlushStream(); });
  // To notice that the peer has closed.
  if (buffer_.size() == 0) Read();
  return stream;
}

// Sends the pieces written during the current events together: a busy server sends a watcher many
// events at once for the cost of one.
void Connection::FlushSoon() {
  if (writing_ || std::exchange(flush_due_, true)) return;
  asio::post(host_.io, [self = shared_from_this()] {
    self->flush_due_ = false;
    self->FlushStream();
  });
}

void Connection::FlushStream() {
  if (writing_ || state_ != State::kStreaming) return;
  const auto pieces = stream_->Take();
  if (pieces.empty()) {
    if (!stream_->ending()) return stream_->NotifyDrained();
    const auto end = [this] {
      std::exchange(stream_, nullptr)->Detach();
      OnAnswered();
    };
    return WriteOut(chunks_ ? std::vector{Buffer(kLastChunk)} : std::vector<asio::const_buffer>(),
                    end);
  }
  std::vector<asio::const_buffer> buffers;
  size_t size = 0;
  if (chunks_) buffers.emplace_back();
  for (const Stream::Piece& piece : pieces) {
    buffers.push_back(Buffer(*piece));
    size += piece->size();
  }
  if (chunks_) {
    head_ = ChunkHead(size);
    buffers.front() = Buffer(head_);
    buffers.push_back(Buffer(kLineEnd));
  }
  WriteOut(std::move(buffers), [this] {
    stream_->Sent();
    FlushStream();
  });
}

void Connection::EndStream() {
  const auto closed = stream_->End();
  FlushStream();
  if (closed) closed();
}

void Connection::DropStream() {
  if (!stream_) return;
  const auto closed = std::exchange(stream_, nullptr)->Detach();
  if (closed) closed();
}

}  // namespace berth::http
