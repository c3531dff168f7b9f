// SPDX-License-Identifier: Apache-2.0
#include "tests/support/http/stub_server.h"

#include <poll.h>
#include <sys/socket.h>

#include <atomic>
#include <list>
#include <sstream>
#include <thread>
#include <utility>

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>

namespace berth::http {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace wire = boost::beast::http;
using asio::ip::tcp;

std::string Head(int code, const Headers& headers, const std::string& framing) {
  std::ostringstream head;
  head << "HTTP/1.1 " << code << " " << wire::obsolete_reason(wire::int_to_status(code)) << "\r\n";
  if (!headers.Find("Content-Type")) head << "Content-Type: application/json\r\n";
  for (const auto& [name, value] : headers) head << name << ": " << value << "\r\n";
  head << framing << "\r\n\r\n";
  return head.str();
}

std::string SubjectOf(SSL* ssl) {
  const std::unique_ptr<X509, decltype(&X509_free)> peer(SSL_get1_peer_certificate(ssl),
                                                         &X509_free);
  if (!peer) return "";
  char text[256] = {};
  X509_NAME_oneline(X509_get_subject_name(peer.get()), text, sizeof text);
  return text;
}

// Reply writes to a plain or an encrypted stream. Errors of a disconnected peer are ignored.
template <class Stream>
class Reply final : public StubReply {
 public:
  Reply(Stream& stream, int socket, const std::atomic<bool>& stopping)
      : stream_(stream), socket_(socket), stopping_(stopping) {}

  void Send(int code, const std::string& body, const Headers& headers) override {
    Write(Head(code, headers, "Content-Length: " + std::to_string(body.size())) + body);
  }
  void Begin(int code, const Headers& headers) override {
    Write(Head(code, headers, "Transfer-Encoding: chunked"));
  }
  void Chunk(const std::string& bytes) override {
    std::ostringstream chunk;
    chunk << std::hex << bytes.size() << "\r\n" << bytes << "\r\n";
    Write(chunk.str());
  }
  void End() override { Write("0\r\n\r\n"); }
  void Close() override {
    closed_ = true;
    ::shutdown(socket_, SHUT_RDWR);
  }
  void WaitForPeer() override {
    pollfd peer{.fd = socket_, .events = POLLRDHUP, .revents = 0};
    while (!stopping_ && ::poll(&peer, 1, 20) == 0) {
    }
    closed_ = true;
  }
  bool closed() const { return closed_; }

 private:
  void Write(const std::string& bytes) {
    beast::error_code error;
    asio::write(stream_, asio::buffer(bytes), error);
    if (error) closed_ = true;
  }

  Stream& stream_;
  const int socket_;
  const std::atomic<bool>& stopping_;
  bool closed_ = false;
};

}  // namespace

struct StubServer::Shared {
  Shared(Handler on_request, std::optional<Tls> tls) : handler(std::move(on_request)) {
    if (tls) {
      context.emplace(asio::ssl::context::tls_server);
      context->use_certificate_chain_file(tls->certificate);
      context->use_private_key_file(tls->key, asio::ssl::context::pem);
      if (!tls->client_ca.empty()) {
        context->load_verify_file(tls->client_ca);
        context->set_verify_mode(asio::ssl::verify_peer);
      }
    }
  }

  void Accept() {
    while (true) {
      tcp::socket socket(io);
      beast::error_code error;
      acceptor.accept(socket, error);
      std::lock_guard lock(mutex);
      if (stopping) return;
      if (error) continue;
      ++connections;
      sockets.push_back(socket.native_handle());
      threads.emplace_back(
          [this, moved = std::move(socket)]() mutable { Serve(std::move(moved)); });
    }
  }

  void Serve(tcp::socket socket) {
    const int handle = socket.native_handle();
    if (context) {
      asio::ssl::stream<tcp::socket&> stream(socket, *context);
      beast::error_code error;
      stream.handshake(asio::ssl::stream_base::server, error);
      if (!error) Exchange(stream, handle, SubjectOf(stream.native_handle()));
    } else {
      Exchange(socket, handle, "");
    }
    std::lock_guard lock(mutex);
    sockets.remove(handle);
  }

  template <class Stream>
  void Exchange(Stream& stream, int socket, const std::string& subject) {
    beast::flat_buffer buffer;
    while (true) {
      wire::request_parser<wire::string_body> parser;
      parser.body_limit(64 << 20);
      beast::error_code error;
      wire::read(stream, buffer, parser, error);
      if (error) return;
      StubRequest request;
      request.method = std::string(parser.get().method_string());
      request.target = std::string(parser.get().target());
      for (const auto& field : parser.get()) {
        request.headers.Add(std::string(field.name_string()), std::string(field.value()));
      }
      request.body = parser.get().body();
      request.client_subject = subject;
      {
        std::lock_guard lock(mutex);
        requests.push_back(request);
      }
      Reply<Stream> reply(stream, socket, stopping);
      handler(request, reply);
      if (reply.closed()) return;
    }
  }

  void Stop() {
    {
      std::lock_guard lock(mutex);
      stopping = true;
      ::shutdown(acceptor.native_handle(), SHUT_RDWR);
      for (const int socket : sockets) ::shutdown(socket, SHUT_RDWR);
    }
    accepting.join();
    threads.clear();
  }

  const Handler handler;
  asio::io_context io;
  tcp::acceptor acceptor{io, tcp::endpoint(asio::ip::make_address("127.0.0.1"), 0)};
  std::optional<asio::ssl::context> context;

  std::mutex mutex;  // guards the five members below
  std::atomic<bool> stopping = false;
  int connections = 0;
  std::list<int> sockets;
  std::vector<StubRequest> requests;
  std::vector<std::jthread> threads;

  std::thread accepting{[this] { Accept(); }};
};

StubServer::StubServer(Handler handler, std::optional<Tls> tls)
    : shared_(std::make_shared<Shared>(std::move(handler), std::move(tls))) {}

StubServer::~StubServer() { shared_->Stop(); }

uint16_t StubServer::port() const { return shared_->acceptor.local_endpoint().port(); }

std::string StubServer::url() const {
  return std::string(shared_->context ? "https" : "http") +
         "://127.0.0.1:" + std::to_string(port());
}

std::vector<StubRequest> StubServer::requests() const {
  std::lock_guard lock(shared_->mutex);
  return shared_->requests;
}

int StubServer::connections() const {
  std::lock_guard lock(shared_->mutex);
  return shared_->connections;
}

bool Eventually(const std::function<bool()>& condition, std::chrono::milliseconds limit) {
  const auto deadline = std::chrono::steady_clock::now() + limit;
  while (!condition()) {
    if (std::chrono::steady_clock::now() > deadline) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return true;
}

}  // namespace berth::http
