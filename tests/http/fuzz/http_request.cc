// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <boost/asio/error.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/thread_pool.hpp>

#include "base/check.h"
#include "http/server/channel.h"
#include "http/server/connection.h"
#include "tests/fuzz/targets.h"

namespace berth::fuzz {
namespace {

namespace asio = boost::asio;

constexpr size_t kMaxHeader = 1024;
constexpr size_t kMaxBody = 512;
constexpr std::ptrdiff_t kMostHeaderLines =
    5;  // of a response: lines added by Echo and the connection

// MemoryChannel reads the input in pieces, then its end, and stores all written bytes.
class MemoryChannel final : public http::Channel {
 public:
  MemoryChannel(asio::io_context& io, std::string_view input, size_t piece, std::string& written)
      : io_(io), input_(input), piece_(piece), written_(written) {}

  void Handshake(Done done) override { Later(std::move(done), {}, 0); }
  void ReadSome(asio::mutable_buffer buffer, Done done) override {
    const size_t size =
        asio::buffer_copy(buffer, asio::buffer(input_.data(), input_.size()), piece_);
    input_.remove_prefix(size);
    if (size == 0) return Later(std::move(done), asio::error::eof, 0);
    Later(std::move(done), {}, size);
  }
  void Write(std::vector<asio::const_buffer> buffers, std::function<void()> progress,
             Done done) override {
    for (const asio::const_buffer& buffer : buffers) {
      written_.append(static_cast<const char*>(buffer.data()), buffer.size());
    }
    asio::post(io_, std::move(progress));
    Later(std::move(done), {}, asio::buffer_size(buffers));
  }
  void ShutdownSend(Done done) override { Later(std::move(done), {}, 0); }
  void Close() override {}
  http::Peer peer() const override { return {}; }

 private:
  void Later(Done done, boost::system::error_code error, size_t size) {
    asio::post(io_, [done = std::move(done), error, size] { done(error, size); });
  }

  asio::io_context& io_;
  std::string_view input_;
  const size_t piece_;
  std::string& written_;
};

// Echo returns the request; for targets that end in "?watch" as a stream.
void Echo(http::Request request, http::Responder responder) {
  BERTH_CHECK(!request.method.empty(), "a request without a method");
  BERTH_CHECK(request.body.size() <= kMaxBody, "a body beyond the limit");
  http::Headers headers;
  headers.Add("X-Target", request.target);
  if (!request.target.ends_with("?watch")) {
    return responder.Send({.code = 200, .headers = headers, .body = request.body});
  }
  const auto stream = responder.Open(200, headers, {});
  stream->Write(std::make_shared<const std::string>("piece\n"));
  stream->Close();
}

// Checks that no byte of a request starts a header line of its response.
void CheckFirstAnswer(std::string_view written) {
  if (written.empty()) return;
  BERTH_CHECK(written.starts_with("HTTP/1.1 "), "an answer that is no HTTP");
  const size_t end = written.find("\r\n\r\n");
  BERTH_CHECK(end != written.npos, "an answer without an end of its head");
  const std::string_view head = written.substr(0, end + 2);
  BERTH_CHECK(std::count(head.begin(), head.end(), '\n') <= kMostHeaderLines, "a line too many");
}

}  // namespace

// The first byte is the size of the pieces in which the remaining input is read: requests on one
// connection.
void HttpRequest(std::string_view input) {
  if (input.empty()) return;
  static auto* const kCompressors = new asio::thread_pool(1);
  const size_t piece = static_cast<unsigned char>(input.front()) + size_t{1};
  const http::StreamServerOptions options{.max_header_bytes = kMaxHeader,
                                          .max_body_bytes = kMaxBody};
  asio::io_context io;
  int closed = 0;
  http::ConnectionHost host{.options = options,
                            .io = io,
                            .compressors = *kCompressors,
                            .handler = Echo,
                            .forget = [&closed](http::Connection*) { ++closed; },
                            .on_unsent = [] {}};
  std::string written;
  std::make_shared<http::Connection>(
      std::make_unique<MemoryChannel>(io, input.substr(1), piece, written), host)
      ->Start();
  io.poll();
  BERTH_CHECK(closed == 1, "a connection that outlives its peer");
  CheckFirstAnswer(written);
}

}  // namespace berth::fuzz
