// SPDX-License-Identifier: Apache-2.0
#include "http/server/channel.h"

#include <utility>

#include <boost/asio/post.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/ssl.hpp>

#include "http/crypto/openssl.h"

namespace berth::http {
namespace {

namespace asio = boost::asio;
namespace ssl = boost::asio::ssl;
using asio::ip::tcp;
using boost::system::error_code;

// ReportProgress is the completion condition of a write that reports progress.
struct ReportProgress {
  std::function<void()> progress;

  size_t operator()(const error_code& error, size_t) const {
    if (error) return 0;
    progress();
    return kAtOnce;
  }

  static constexpr size_t kAtOnce = 1 << 20;
};

// Returns 127.0.0.1 for ::ffff:127.0.0.1, the form of IPv4 peers on a dual-stack socket.
asio::ip::address Plain(const asio::ip::address& address) {
  if (!address.is_v6() || !address.to_v6().is_v4_mapped()) return address;
  return asio::ip::make_address_v4(asio::ip::v4_mapped, address.to_v6());
}

std::string AddressOf(const tcp::socket& socket) {
  error_code error;
  const tcp::endpoint endpoint = socket.remote_endpoint(error);
  if (error) return "";
  const asio::ip::address address = Plain(endpoint.address());
  const std::string host = address.is_v6() ? "[" + address.to_string() + "]" : address.to_string();
  return host + ":" + std::to_string(endpoint.port());
}

class PlainChannel final : public Channel {
 public:
  explicit PlainChannel(Socket socket) : socket_(std::move(socket)) {}

  void Handshake(Done done) override {
    asio::post(socket_.get_executor(), [done = std::move(done)] { done({}, 0); });
  }
  void ReadSome(asio::mutable_buffer buffer, Done done) override {
    socket_.async_read_some(buffer, std::move(done));
  }
  void Write(std::vector<asio::const_buffer> buffers, std::function<void()> progress,
             Done done) override {
    asio::async_write(socket_, buffers, ReportProgress{std::move(progress)}, std::move(done));
  }
  void ShutdownSend(Done done) override {
    error_code error;
    socket_.shutdown(tcp::socket::shutdown_send, error);
    asio::post(socket_.get_executor(), [done = std::move(done), error] { done(error, 0); });
  }
  void Close() override {
    error_code ignored;
    socket_.close(ignored);
  }
  Peer peer() const override { return {.address = AddressOf(socket_)}; }

 private:
  Socket socket_;
};

// Returns the texts of all entries with this NID in a name: CN, O.
std::vector<std::string> Entries(X509_NAME* name, int nid) {
  std::vector<std::string> texts;
  for (int i = -1; (i = X509_NAME_get_index_by_NID(name, nid, i)) >= 0;) {
    unsigned char* text = nullptr;
    const int size =
        ASN1_STRING_to_UTF8(&text, X509_NAME_ENTRY_get_data(X509_NAME_get_entry(name, i)));
    if (size < 0) continue;
    texts.emplace_back(reinterpret_cast<const char*>(text), static_cast<size_t>(size));
    OPENSSL_free(text);
  }
  return texts;
}

class TlsChannel final : public Channel {
 public:
  TlsChannel(Socket socket, ssl::context& context) : stream_(std::move(socket), context) {}

  void Handshake(Done done) override {
    stream_.async_handshake(ssl::stream_base::server,
                            [done = std::move(done)](error_code error) { done(error, 0); });
  }
  void ReadSome(asio::mutable_buffer buffer, Done done) override {
    stream_.async_read_some(buffer, std::move(done));
  }
  void Write(std::vector<asio::const_buffer> buffers, std::function<void()> progress,
             Done done) override {
    asio::async_write(stream_, buffers, ReportProgress{std::move(progress)}, std::move(done));
  }
  void ShutdownSend(Done done) override {
    stream_.async_shutdown([done = std::move(done)](error_code error) { done(error, 0); });
  }
  void Close() override {
    error_code ignored;
    stream_.next_layer().close(ignored);
  }

  Peer peer() const override {
    Peer peer{.address = AddressOf(stream_.next_layer())};
    // native_handle of Beast's stream is not const; OpenSSL changes nothing here.
    SSL* const tls = const_cast<Stream&>(stream_).native_handle();
    const Certificate certificate(SSL_get1_peer_certificate(tls));
    if (!certificate) return peer;
    if (const long error = SSL_get_verify_result(tls); error != X509_V_OK) {
      peer.certificate_error = X509_verify_cert_error_string(error);
      return peer;
    }
    peer.is_certified = true;
    X509_NAME* const subject = X509_get_subject_name(certificate.get());
    const std::vector<std::string> names = Entries(subject, NID_commonName);
    if (!names.empty()) peer.common_name = names.back();
    peer.organizations = Entries(subject, NID_organizationName);
    return peer;
  }

 private:
  // Beast's stream merges small buffers, so that a header and its body share a record.
  using Stream = boost::beast::ssl_stream<Socket>;

  Stream stream_;
};

}  // namespace

std::unique_ptr<Channel> MakePlainChannel(Channel::Socket socket) {
  return std::make_unique<PlainChannel>(std::move(socket));
}

std::unique_ptr<Channel> MakeTlsChannel(Channel::Socket socket, ssl::context& context) {
  return std::make_unique<TlsChannel>(std::move(socket), context);
}

Result<std::unique_ptr<ssl::context>> MakeServerContext(const ServerTlsOptions& options) {
  auto context = std::make_unique<ssl::context>(ssl::context::tls_server);
  SSL_CTX* const raw = context->native_handle();
  SSL_CTX_set_min_proto_version(raw, TLS1_2_VERSION);
  // No session resumption: a resumed session has no client certificate.
  SSL_CTX_set_options(raw, SSL_OP_NO_TICKET);
  SSL_CTX_set_session_cache_mode(raw, SSL_SESS_CACHE_OFF);
  BERTH_TRY_VOID(UseCertificate(raw, options.certificate, options.key, "server"));
  if (options.client_ca.empty()) return context;
  const std::string where = Describe(options.client_ca, "client-ca");
  BERTH_TRY(const std::string text, ReadPem(options.client_ca, "client-ca"));
  BERTH_TRY(const auto roots, LoadRoots(text, where));
  BERTH_TRY(const auto authorities, ParseCertificates(text, where));
  SSL_CTX_set1_cert_store(raw, roots.get());
  for (const Certificate& authority : authorities) SSL_CTX_add_client_CA(raw, authority.get());
  // Accept untrusted certificates; the handler decides, as upstream.
  SSL_CTX_set_verify(raw, SSL_VERIFY_PEER, [](int, X509_STORE_CTX*) { return 1; });
  return context;
}

}  // namespace berth::http
