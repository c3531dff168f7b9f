// SPDX-License-Identifier: Apache-2.0
#include "http/server.h"

#include <atomic>
#include <condition_variable>
#include <exception>
#include <map>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include <boost/asio/dispatch.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/strand.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>

#include "base/log.h"
#include "http/callback_scope.h"

namespace berth::http {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace wire = boost::beast::http;
using asio::ip::tcp;

using WireRequest = wire::request<wire::string_body>;
using WireResponse = wire::response<wire::string_body>;

Request FromWire(WireRequest message) {
  Request request;
  request.method = std::string(message.method_string());
  request.target = std::string(message.target());
  for (const auto& field : message) {
    request.headers.Add(std::string(field.name_string()), std::string(field.value()));
  }
  request.body = std::move(message.body());
  return request;
}

WireResponse ToWire(Response response, bool keep_alive, bool is_head) {
  WireResponse message;
  message.version(11);
  message.result(static_cast<unsigned>(response.code));
  for (const auto& [name, value] : response.headers) message.insert(name, value);
  if (!response.headers.Find("Content-Type")) {
    message.set(wire::field::content_type, "text/plain; charset=utf-8");
  }
  message.keep_alive(keep_alive);
  message.content_length(response.body.size());
  if (!is_head) message.body() = std::move(response.body);
  return message;
}

class Connection;

// BeastServer owns the listening socket, the threads and the list of open connections.
class BeastServer final : public Server {
 public:
  BeastServer(ServerOptions options, Handler handler)
      : options_(std::move(options)),
        handler_(std::move(handler)),
        acceptor_(asio::make_strand(io_)) {}
  ~BeastServer() override;

  Result<void> Listen();
  uint16_t port() const override { return port_; }

  const ServerOptions& options() const { return options_; }
  Response Answer(const Request& request) const;
  void Forget(const Connection* connection);

 private:
  void Accept();
  bool Admit(const std::shared_ptr<Connection>& connection);

  const ServerOptions options_;
  const Handler handler_;

  std::mutex mutex_;  // guards the three below
  std::condition_variable empty_;
  std::map<const Connection*, std::weak_ptr<Connection>> connections_;
  bool stopping_ = false;

  asio::io_context io_;  // its destructor ends connections, which call Forget
  tcp::acceptor acceptor_;
  uint16_t port_ = 0;
  std::vector<std::jthread> threads_;
};

// Connection reads a request, has it answered, writes the answer, and again. Everything happens on
// its strand.
class Connection : public std::enable_shared_from_this<Connection> {
 public:
  Connection(tcp::socket socket, BeastServer& server)
      : stream_(std::move(socket)), server_(server) {}
  ~Connection() { server_.Forget(this); }

  void Start() {
    asio::dispatch(stream_.get_executor(), [self = shared_from_this()] { self->AwaitRequest(); });
  }

  // Close ends the connection, after the answer that is on its way.
  void Close() {
    asio::dispatch(stream_.get_executor(), [self = shared_from_this()] {
      self->last_answer_ = true;
      if (!self->answering_) self->Disconnect();
    });
  }

 private:
  // Waits for the first byte as long as a kept connection may idle; the rest must come within
  // request_timeout.
  void AwaitRequest() {
    answering_ = false;
    if (last_answer_) return Disconnect();
    parser_.emplace();
    parser_->header_limit(static_cast<uint32_t>(server_.options().max_header_bytes));
    parser_->body_limit(server_.options().max_body_bytes);
    if (buffer_.size() > 0) return ReadRequest();
    stream_.expires_after(server_.options().idle_timeout);
    stream_.async_read_some(buffer_.prepare(4096),
                            [self = shared_from_this()](beast::error_code error, size_t size) {
                              if (error) return self->Disconnect();
                              self->buffer_.commit(size);
                              self->ReadRequest();
                            });
  }

  void ReadRequest() {
    stream_.expires_after(server_.options().request_timeout);
    wire::async_read(
        stream_, buffer_, *parser_,
        [self = shared_from_this()](beast::error_code error, size_t) { self->OnRead(error); });
  }

  void OnRead(beast::error_code error) {
    if (!error) {
      WireRequest message = parser_->release();
      const bool keep_alive = message.keep_alive();
      const bool is_head = message.method() == wire::verb::head;
      return Write(ToWire(server_.Answer(FromWire(std::move(message))), keep_alive, is_head));
    }
    if (const int code = CodeFor(error)) {
      return Write(ToWire({.code = code, .body = error.message() + "\n"}, false, false));
    }
    Disconnect();
  }

  // The answer to a request that could not be read; 0 for one that never came.
  static int CodeFor(beast::error_code error) {
    if (error == wire::error::body_limit) return 413;
    if (error == wire::error::header_limit) return 431;
    if (error == wire::error::end_of_stream || error == wire::error::partial_message) return 0;
    return error.category() == wire::make_error_code(wire::error::body_limit).category() ? 400 : 0;
  }

  void Write(WireResponse message) {
    answering_ = true;
    answer_ = std::move(message);
    stream_.expires_after(server_.options().request_timeout);
    wire::async_write(stream_, answer_,
                      [self = shared_from_this()](beast::error_code error, size_t) {
                        if (error || !self->answer_.keep_alive()) return self->Disconnect();
                        self->AwaitRequest();
                      });
  }

  void Disconnect() {
    beast::error_code ignored;
    stream_.socket().shutdown(tcp::socket::shutdown_send, ignored);
    stream_.close();
  }

  beast::tcp_stream stream_;
  BeastServer& server_;
  beast::flat_buffer buffer_;
  std::optional<wire::request_parser<wire::string_body>> parser_;
  WireResponse answer_;
  bool answering_ = false;
  bool last_answer_ = false;
};

Result<void> BeastServer::Listen() {
  const std::string where = options_.address + ":" + std::to_string(options_.port);
  beast::error_code error;
  const auto address = asio::ip::make_address(options_.address, error);
  if (error) {
    return ConfigError("listen on " + where + ": \"" + options_.address +
                       "\" is not an IPv4 or IPv6 address");
  }
  const tcp::endpoint endpoint(address, options_.port);
  acceptor_.open(endpoint.protocol(), error);
  if (!error) acceptor_.set_option(asio::socket_base::reuse_address(true), error);
  if (!error) acceptor_.bind(endpoint, error);
  if (!error) acceptor_.listen(asio::socket_base::max_listen_connections, error);
  if (error) return ConfigError("listen on " + where + ": " + error.message());
  port_ = acceptor_.local_endpoint().port();
  Accept();
  for (int i = 0; i < options_.threads; ++i) {
    threads_.emplace_back([this] {
      CallbackScope no_blocking;
      io_.run();
    });
  }
  return {};
}

void BeastServer::Accept() {
  acceptor_.async_accept(
      asio::make_strand(io_), [this](beast::error_code error, tcp::socket socket) {
        if (error == asio::error::operation_aborted) return;
        if (!error) {
          auto connection = std::make_shared<Connection>(std::move(socket), *this);
          if (Admit(connection)) connection->Start();
        }
        Accept();
      });
}

bool BeastServer::Admit(const std::shared_ptr<Connection>& connection) {
  std::lock_guard lock(mutex_);
  if (stopping_ || connections_.size() >= options_.max_connections) return false;
  connections_.emplace(connection.get(), connection);
  return true;
}

void BeastServer::Forget(const Connection* connection) {
  std::lock_guard lock(mutex_);
  connections_.erase(connection);
  if (connections_.empty()) empty_.notify_all();
}

Response BeastServer::Answer(const Request& request) const {
  try {
    return handler_(request);
  } catch (const std::exception& error) {
    log::Error("HTTP handler failed", {{"target", request.target}, {"err", error.what()}});
    return {.code = 500, .body = "internal error\n"};
  }
}

BeastServer::~BeastServer() {
  asio::dispatch(acceptor_.get_executor(), [this] { acceptor_.close(); });
  {
    std::unique_lock lock(mutex_);
    stopping_ = true;
    std::vector<std::shared_ptr<Connection>> open;
    for (const auto& [pointer, weak] : connections_) {
      if (auto connection = weak.lock()) open.push_back(std::move(connection));
    }
    lock.unlock();
    for (const auto& connection : open) connection->Close();
    open.clear();
    lock.lock();
    empty_.wait_for(lock, std::chrono::seconds(1), [this] { return connections_.empty(); });
  }
  io_.stop();
  threads_.clear();
}

}  // namespace

Result<std::unique_ptr<Server>> Server::Start(ServerOptions options, Handler handler) {
  auto server = std::make_unique<BeastServer>(std::move(options), std::move(handler));
  BERTH_TRY_VOID(server->Listen());
  return server;
}

}  // namespace berth::http
