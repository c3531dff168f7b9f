// SPDX-License-Identifier: Apache-2.0
#include <netdb.h>
#include <sys/socket.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "http/client/transport.h"
#include "http/server/stream_server.h"
#include "tests/http/client/connect.h"
#include "tests/support/http/ipv6.h"
#include "tests/support/http/test_certificates.h"

namespace berth::http {
namespace {

// Servers that listen on [::1], plain and over TLS.
class TransportOverIpv6 : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!HasIpv6()) GTEST_SKIP() << kNoIpv6;
    plain_ = Listen(std::nullopt);
    secure_ = Listen(ServerTlsOptions{.certificate = {.data = {}, .file = pki_.File("server6.crt")},
                                      .key = {.data = {}, .file = pki_.File("server6.key")},
                                      .client_ca = {.data = {}, .file = pki_.File("ca.crt")}});
  }

  static std::unique_ptr<StreamServer> Listen(std::optional<ServerTlsOptions> tls) {
    auto server = StreamServer::Listen({.address = "::1", .tls = std::move(tls)});
    EXPECT_TRUE(server) << server.error().message();
    (*server)->Serve([](const Request& request, Responder responder) {
      if (request.target != "/watch") {
        const std::string host(request.headers.Find("Host").value_or(""));
        const std::string who = responder.peer().common_name;
        return responder.Send({.code = 200, .body = request.method + " " + host + " " + who});
      }
      const auto stream = responder.Open(200, {}, {});
      stream->Write(std::make_shared<const std::string>("one\ntwo\n"));
      stream->Close();
    });
    return std::move(*server);
  }

  static Result<Response> Ask(TransportOptions options) {
    BERTH_TRY(const auto transport, CreateTransport(std::move(options)));
    return transport->Call({});
  }
  TlsOptions Trusting() const { return {.ca = {.data = {}, .file = pki_.File("ca.crt")}}; }

  const TestCertificates& pki_ = TestCertificates::Instance();
  std::unique_ptr<StreamServer> plain_;
  std::unique_ptr<StreamServer> secure_;
};

TEST_F(TransportOverIpv6, ReachesIpv6Address) {
  const auto response = Ask({.url = plain_->url()});
  ASSERT_TRUE(response) << response.error().message();
  EXPECT_EQ(response->body, "GET [::1]:" + std::to_string(plain_->port()) + " ");
}

// Uses the resolver only, because libcurl resolves localhost by itself.
std::optional<std::string> NameOfLoopback() {
  const addrinfo hints{.ai_flags = 0,
                       .ai_family = AF_INET6,
                       .ai_socktype = SOCK_STREAM,
                       .ai_protocol = 0,
                       .ai_addrlen = 0,
                       .ai_addr = nullptr,
                       .ai_canonname = nullptr,
                       .ai_next = nullptr};
  for (const char* name : {"ip6-localhost", "localhost"}) {
    addrinfo* found = nullptr;
    if (getaddrinfo(name, nullptr, &hints, &found) != 0) continue;
    freeaddrinfo(found);
    return name;
  }
  return std::nullopt;
}

TEST_F(TransportOverIpv6, ReachesResolvedNameOverEachLibrary) {
  const auto name = NameOfLoopback();
  if (!name) GTEST_SKIP() << "no name of this machine resolves to ::1";
  const std::string url = "http://" + *name + ":" + std::to_string(plain_->port());
  for (const Library library : kLibraries) {
    const auto response = Ask({.url = url, .library = library});
    EXPECT_TRUE(response) << response.error().message();
  }
}

TEST_F(TransportOverIpv6, ReadsLines) {
  const auto transport = CreateTransport({.url = plain_->url()});
  ASSERT_TRUE(transport);
  const auto lines = (*transport)->Open({.target = "/watch"});
  ASSERT_TRUE(lines) << lines.error().message();
  EXPECT_EQ(**(*lines)->Next(), "one");
  EXPECT_EQ(**(*lines)->Next(), "two");
  EXPECT_EQ(*(*lines)->Next(), std::nullopt);
}

TEST_F(TransportOverIpv6, VerifiesAddressAndSendsClientCertificate) {
  TlsOptions tls = Trusting();
  tls.certificate.file = pki_.File("client.crt");
  tls.key.file = pki_.File("client.key");
  const auto response = Ask({.url = secure_->url(), .tls = tls});
  ASSERT_TRUE(response) << response.error().message();
  EXPECT_TRUE(response->body.ends_with(" admin")) << response->body;
}

TEST_F(TransportOverIpv6, RejectsCertificateForAnotherAddress) {
  const auto server =
      Listen(ServerTlsOptions{.certificate = {.data = {}, .file = pki_.File("server.crt")},
                              .key = {.data = {}, .file = pki_.File("server.key")},
                              .client_ca = {}});
  const auto response = Ask({.url = server->url(), .tls = Trusting()});
  ASSERT_FALSE(response);
  EXPECT_EQ(response.error().reason(), Reason::kUnavailable);
  EXPECT_NE(response.error().message().find(
                "the server's certificate is valid for DNS:localhost, IP Address:127.0.0.1, not "
                "for "),
            std::string::npos)
      << response.error().message();
  TlsOptions by_name = Trusting();
  by_name.server_name = "localhost";
  EXPECT_TRUE(Ask({.url = server->url(), .tls = by_name}));
}

TEST_F(TransportOverIpv6, ErrorNamesUnreachableAddress) {
  const std::string url = plain_->url();
  plain_.reset();
  const auto response = Ask({.url = url});
  ASSERT_FALSE(response);
  EXPECT_EQ(response.error().reason(), Reason::kUnavailable);
  EXPECT_NE(response.error().message().find(url), std::string::npos);
}

}  // namespace
}  // namespace berth::http
