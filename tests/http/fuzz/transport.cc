// SPDX-License-Identifier: Apache-2.0
#include "http/client/transport.h"

#include <mutex>
#include <string>
#include <thread>

#include <boost/asio/buffer.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read_until.hpp>
#include <boost/asio/write.hpp>

#include "base/check.h"
#include "tests/fuzz/targets.h"

namespace berth::fuzz {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;
using boost::system::error_code;

// RawServer sends the same bytes on each connection, regardless of the request, and closes it. It
// runs until the process ends.
class RawServer {
 public:
  RawServer() : acceptor_(io_, tcp::endpoint(asio::ip::address_v4::loopback(), 0)) {
    std::thread([this] {
      while (true) Serve();
    }).detach();
  }

  std::string url() const {
    return "http://127.0.0.1:" + std::to_string(acceptor_.local_endpoint().port());
  }
  void Answer(std::string_view bytes) {
    std::lock_guard lock(mutex_);
    answer_ = bytes;
  }

 private:
  void Serve() {
    error_code ignored;
    tcp::socket peer = acceptor_.accept(ignored);
    std::string request;
    asio::read_until(peer, asio::dynamic_buffer(request), "\r\n\r\n", ignored);
    std::lock_guard lock(mutex_);
    asio::write(peer, asio::buffer(answer_), ignored);
    peer.shutdown(tcp::socket::shutdown_send, ignored);
  }

  asio::io_context io_;
  tcp::acceptor acceptor_;
  std::mutex mutex_;  // guards answer_
  std::string answer_;
};

http::Transport& TransportTo(const RawServer& server) {
  static auto* const kTransport = [&server] {
    auto made = http::CreateTransport(
        {.url = server.url(), .max_line_bytes = 1024, .stream_buffer_bytes = 2048});
    BERTH_CHECK(made.has_value(), "no transport");
    return made->release();
  }();
  return *kTransport;
}

http::Request AnyRequest() { return {.timeout = std::chrono::seconds(5)}; }

void CheckCall(http::Transport& transport) {
  const auto answer = transport.Call(AnyRequest());
  if (answer) return;
  BERTH_CHECK(!answer.error().Is(Reason::kTimeout), "a closed connection is waited for");
}

void CheckStream(http::Transport& transport) {
  const auto stream = transport.Open(AnyRequest());
  if (!stream) return;
  while (true) {
    const auto line = (*stream)->Next();
    if (!line || !*line) return;
    BERTH_CHECK((*line)->find('\n') == std::string::npos, "two lines in one");
  }
}

}  // namespace

// The input is a raw response: status line, headers, chunks. cpprestsdk parses it; both ways to
// read a body are ours.
void Transport(std::string_view input) {
  static auto* const kServer = new RawServer;
  http::Transport& transport = TransportTo(*kServer);
  kServer->Answer(input);
  CheckCall(transport);
  CheckStream(transport);
}

}  // namespace berth::fuzz
