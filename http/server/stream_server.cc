// SPDX-License-Identifier: Apache-2.0
#include "http/server/stream_server.h"

#include <chrono>
#include <optional>
#include <thread>
#include <unordered_map>
#include <utility>

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ip/v6_only.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/thread_pool.hpp>

#include "http/callback_scope.h"
#include "http/server/channel.h"
#include "http/server/connection.h"
#include "http/server/io_timer.h"

namespace berth::http {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;
using boost::system::error_code;
using std::chrono::milliseconds;

// Pause before the next accept when the process has no descriptor left.
constexpr milliseconds kAcceptPause{50};
// Time a peer may take before its connection can be replaced: enough for a peer that sends at once,
// and short enough that a thousand silent peers are replaced within a fraction of a probe's
// timeout.
constexpr milliseconds kTurn{20};

// Reports whether the kernel has no IPv6, or IPv6 is disabled.
bool LacksIpv6(error_code error) {
  return error == asio::error::address_family_not_supported ||
         error == boost::system::errc::address_not_available;
}

class AsioServer final : public StreamServer {
 public:
  explicit AsioServer(StreamServerOptions options) : options_(std::move(options)) {}
  ~AsioServer() override;

  Result<void> Open();
  void Serve(Handler handler) override;

  uint16_t port() const override { return port_; }
  std::string url() const override {
    const bool is_v6 = options_.address.find(':') != std::string::npos;
    const std::string host = is_v6 ? "[" + options_.address + "]" : options_.address;
    return (tls_ ? "https://" : "http://") + host + ":" + std::to_string(port_);
  }
  void Post(std::function<void()> function) override {
    asio::post(io_, [this, function = std::move(function)] {
      if (!ended_) function();
    });
  }
  Timer& timer() override { return timer_; }

 private:
  error_code Bind(const tcp::endpoint& endpoint);
  void Accept();
  void Admit();
  // Returns the connection that has waited longest for its peer, among those for which `counts` is
  // true; null if none matches.
  Connection* Slowest(const std::function<bool(const Connection&)>& counts) const;
  void LimitUnsent();
  void Stop();
  void Forget(Connection* connection);

  const StreamServerOptions options_;
  asio::io_context io_{1};
  asio::thread_pool compressors_{1};
  IoTimer timer_{io_};
  std::unique_ptr<asio::ssl::context> tls_;
  tcp::acceptor acceptor_{io_};
  tcp::socket arrived_{io_};            // accepted, not yet a connection
  std::optional<Timer::Id> admission_;  // timer of the arrived socket, which waits for a slot
  uint16_t port_ = 0;

  // Used on the server's thread, and by the destructor after the thread has ended.
  ConnectionHost host_{.options = options_,
                       .io = io_,
                       .compressors = compressors_,
                       .forget = [this](Connection* connection) { Forget(connection); },
                       .on_unsent = [this] { LimitUnsent(); },
                       .is_full = options_.max_connections == 0};
  std::unordered_map<Connection*, std::shared_ptr<Connection>> connections_;
  bool stopping_ = false;
  bool ended_ = false;  // the thread has ended

  asio::executor_work_guard<asio::io_context::executor_type> work_{io_.get_executor()};
  std::thread thread_;
};

Result<void> AsioServer::Open() {
  const std::string where = options_.address + ":" + std::to_string(options_.port);
  if (options_.tls) {
    auto context = MakeServerContext(*options_.tls);
    if (!context) return Fail(context.error().With("listen on " + where));
    tls_ = std::move(*context);
  }
  error_code error;
  const auto address = asio::ip::make_address(options_.address, error);
  if (error) {
    return ConfigError("listen on " + where + ": \"" + options_.address +
                       "\" is not an IPv4 or IPv6 address");
  }
  const bool is_every = address.is_unspecified();
  error = Bind({is_every ? asio::ip::address_v6::any() : address, options_.port});
  if (is_every && LacksIpv6(error)) error = Bind({asio::ip::address_v4::any(), options_.port});
  if (error) return ConfigError("listen on " + where + ": " + error.message());
  port_ = acceptor_.local_endpoint().port();
  return {};
}

error_code AsioServer::Bind(const tcp::endpoint& endpoint) {
  error_code error;
  acceptor_.close(error);
  acceptor_.open(endpoint.protocol(), error);
  if (!error) acceptor_.set_option(asio::socket_base::reuse_address(true), error);
  if (!error && endpoint.address() == asio::ip::address_v6::any()) {
    acceptor_.set_option(asio::ip::v6_only(false), error);
  }
  if (!error) acceptor_.bind(endpoint, error);
  if (!error) acceptor_.listen(asio::socket_base::max_listen_connections, error);
  return error;
}

void AsioServer::Serve(Handler handler) {
  host_.handler = std::move(handler);
  Accept();
  thread_ = std::thread([this] {
    CallbackScope no_blocking;
    io_.run();
  });
}

void AsioServer::Accept() {
  acceptor_.async_accept(arrived_, [this](error_code error) {
    if (error == asio::error::operation_aborted || stopping_) return;
    if (error) {
      timer_.After(kAcceptPause, [this] {
        if (!stopping_) Accept();
      });
      return;
    }
    Admit();
  });
}

void AsioServer::Admit() {
  if (stopping_) return;
  error_code ignored;
  if (host_.is_full) {
    Connection* const slowest = Slowest([](const Connection&) { return true; });
    if (slowest == nullptr) {
      arrived_.close(ignored);
      return Accept();
    }
    const auto left = *slowest->WaitingForPeerSince() + kTurn - std::chrono::steady_clock::now();
    if (left.count() > 0) {
      admission_ = timer_.After(std::chrono::ceil<milliseconds>(left), [this] {
        admission_.reset();
        Admit();
      });
      return;
    }
    slowest->Close();
  }
  arrived_.set_option(tcp::no_delay(true), ignored);
  auto channel =
      tls_ ? MakeTlsChannel(std::move(arrived_), *tls_) : MakePlainChannel(std::move(arrived_));
  const auto connection = std::make_shared<Connection>(std::move(channel), host_);
  connections_.emplace(connection.get(), connection);
  host_.is_full = connections_.size() >= options_.max_connections;
  connection->Start();
  Accept();
}

Connection* AsioServer::Slowest(const std::function<bool(const Connection&)>& counts) const {
  Connection* slowest = nullptr;
  for (const auto& [pointer, connection] : connections_) {
    if (!connection->WaitingForPeerSince() || !counts(*connection)) continue;
    if (slowest == nullptr || *connection->WaitingForPeerSince() < *slowest->WaitingForPeerSince())
      slowest = pointer;
  }
  return slowest;
}

void AsioServer::LimitUnsent() {
  while (host_.unsent_bytes > options_.max_unsent_bytes) {
    Connection* const slowest = Slowest([](const Connection& one) { return one.unsent() > 0; });
    if (slowest == nullptr) return;
    slowest->Close();
  }
}

void AsioServer::Forget(Connection* connection) {
  connections_.erase(connection);
  host_.is_full = connections_.size() >= options_.max_connections;
  if (stopping_ && connections_.empty()) io_.stop();
  if (!admission_) return;
  timer_.Cancel(*std::exchange(admission_, std::nullopt));
  asio::post(io_, [this] { Admit(); });
}

void AsioServer::Stop() {
  stopping_ = true;
  error_code ignored;
  acceptor_.close(ignored);
  std::vector<std::shared_ptr<Connection>> open;
  for (const auto& [pointer, connection] : connections_) open.push_back(connection);
  for (const auto& connection : open) connection->Stop();
  if (connections_.empty()) return io_.stop();
  timer_.After(options_.stop_grace, [this] { io_.stop(); });
}

AsioServer::~AsioServer() {
  if (thread_.joinable()) {
    Post([this] { Stop(); });
    thread_.join();
  }
  stopping_ = ended_ = true;
  compressors_.stop();
  compressors_.join();
  timer_.Clear();
  while (!connections_.empty()) connections_.begin()->second->Close();
  // Runs the last callbacks of aborted connections: sockets and timers must be destroyed before the
  // io_context.
  io_.restart();
  io_.poll();
}

}  // namespace

Result<std::unique_ptr<StreamServer>> StreamServer::Listen(StreamServerOptions options) {
  auto server = std::make_unique<AsioServer>(std::move(options));
  BERTH_TRY_VOID(server->Open());
  return server;
}

Responder::Responder(std::shared_ptr<internal::PendingRequest> exchange)
    : exchange_(std::move(exchange)) {}

Responder& Responder::operator=(Responder&& other) noexcept {
  std::swap(exchange_, other.exchange_);
  return *this;
}

Responder::~Responder() {
  if (exchange_) exchange_->Send({.code = 500, .body = "internal error\n"});
}

const Peer& Responder::peer() const { return exchange_->peer(); }

void Responder::Send(Response response) {
  std::exchange(exchange_, nullptr)->Send(std::move(response));
}

std::shared_ptr<Stream> Responder::Open(int code, Headers headers, Stream::Events events) {
  return std::exchange(exchange_, nullptr)->Open(code, std::move(headers), std::move(events));
}

void Responder::Drop() { std::exchange(exchange_, nullptr)->Drop(); }

}  // namespace berth::http
