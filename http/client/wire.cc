// SPDX-License-Identifier: Apache-2.0
#include "http/client/wire.h"

#include <utility>

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/write.hpp>

#include "http/client/tls_context.h"
#include "http/crypto/openssl.h"

namespace berth::http {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;
using boost::system::error_code;
using Context = std::unique_ptr<SSL_CTX, OpenSslFreer<SSL_CTX_free>>;
using Session = std::unique_ptr<SSL, OpenSslFreer<SSL_free>>;

Failure Broken(const std::string& why) {
  return Fail(Reason::kUnavailable, "the connection broke: " + why);
}

class PlainWire final : public Wire {
 public:
  Result<void> Connect(uint16_t port) {
    error_code error;
    socket_.connect({asio::ip::address_v4::loopback(), port}, error);
    if (error) {
      return Fail(Reason::kUnavailable,
                  "connect to 127.0.0.1:" + std::to_string(port) + ": " + error.message());
    }
    socket_.set_option(tcp::no_delay(true), error);
    descriptor_ = socket_.native_handle();
    return {};
  }

  Result<void> Send(std::string_view bytes) override {
    error_code error;
    asio::write(socket_, asio::buffer(bytes.data(), bytes.size()), error);
    return error ? Result<void>(Broken(error.message())) : Result<void>();
  }
  Result<size_t> Receive(std::span<char> into) override {
    error_code error;
    const size_t size = socket_.read_some(asio::buffer(into.data(), into.size()), error);
    if (error && error != asio::error::eof) return Broken(error.message());
    return size;
  }
  size_t pending() const override { return 0; }
  int descriptor() const override { return descriptor_; }

 private:
  asio::io_context io_{1};
  tcp::socket socket_{io_};
  int descriptor_ = -1;
};

// TlsWire lets OpenSSL read the descriptor itself, so that unread data is either in the descriptor
// or `pending`.
class TlsWire final : public Wire {
 public:
  explicit TlsWire(std::unique_ptr<Wire> below) : below_(std::move(below)) {}

  Result<void> Handshake(const TlsOptions& options) {
    BERTH_TRY(const std::shared_ptr<TlsContext> tls, TlsContext::Create(options));
    context_.reset(SSL_CTX_new(TLS_client_method()));
    BERTH_TRY_VOID(tls->Configure(context_.get()));
    if (!options.insecure_skip_verify) {
      SSL_CTX_set_verify(context_.get(), SSL_VERIFY_PEER, nullptr);
    }
    session_.reset(SSL_new(context_.get()));
    SSL_set_fd(session_.get(), below_->descriptor());
    return SSL_connect(session_.get()) == 1 ? Result<void>() : Broken(OpenSslReason());
  }

  Result<void> Send(std::string_view bytes) override {
    const bool sent = SSL_write(session_.get(), bytes.data(), static_cast<int>(bytes.size())) > 0;
    return sent ? Result<void>() : Broken(OpenSslReason());
  }
  Result<size_t> Receive(std::span<char> into) override {
    const int size = SSL_read(session_.get(), into.data(), static_cast<int>(into.size()));
    if (size > 0) return static_cast<size_t>(size);
    if (SSL_get_error(session_.get(), size) == SSL_ERROR_ZERO_RETURN) return 0;
    return Broken(OpenSslReason());
  }
  size_t pending() const override { return static_cast<size_t>(SSL_pending(session_.get())); }
  int descriptor() const override { return below_->descriptor(); }

 private:
  const std::unique_ptr<Wire> below_;
  Context context_;
  Session session_;
};

}  // namespace

Result<std::unique_ptr<Wire>> Wire::Connect(uint16_t port, const std::optional<TlsOptions>& tls) {
  auto plain = std::make_unique<PlainWire>();
  BERTH_TRY_VOID(plain->Connect(port));
  if (!tls) return plain;
  auto secure = std::make_unique<TlsWire>(std::move(plain));
  BERTH_TRY_VOID(secure->Handshake(*tls));
  return secure;
}

}  // namespace berth::http
