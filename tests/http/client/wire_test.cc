// SPDX-License-Identifier: Apache-2.0
#include "http/client/wire.h"

#include <array>
#include <string>

#include <gtest/gtest.h>

#include "http/server/stream_server.h"
#include "tests/support/http/test_certificates.h"

namespace berth::http {
namespace {

constexpr size_t kLarge = 100'000;  // more than one record of TLS

class WireTest : public testing::Test {
 protected:
  static std::unique_ptr<StreamServer> Serve(bool tls) {
    StreamServerOptions options;
    if (tls) {
      const auto& certificates = TestCertificates::Instance();
      options.tls =
          ServerTlsOptions{.certificate = {.data = {}, .file = certificates.File("server.crt")},
                           .key = {.data = {}, .file = certificates.File("server.key")},
                           .client_ca = {}};
    }
    auto server = StreamServer::Listen(std::move(options));
    EXPECT_TRUE(server);
    (*server)->Serve([](const Request&, Responder responder) {
      responder.Send({.code = 200, .body = std::string(kLarge, 'x')});
    });
    return std::move(*server);
  }

  static size_t CountBody(Wire& wire) {
    EXPECT_TRUE(wire.Send("GET / HTTP/1.1\r\nConnection: close\r\n\r\n"));
    std::string answer;
    std::array<char, 1000> part;
    while (const size_t size = wire.Receive(part).value_or(0)) answer.append(part.data(), size);
    return answer.size() - answer.find("\r\n\r\n") - 4;
  }
};

TEST_F(WireTest, TransfersBytesWithoutTls) {
  const auto server = Serve(false);
  const auto wire = Wire::Connect(server->port());
  ASSERT_TRUE(wire) << wire.error().message();
  EXPECT_EQ(CountBody(**wire), kLarge);
  EXPECT_EQ((*wire)->pending(), 0u);
}

TEST_F(WireTest, TransfersBytesOverTls) {
  const auto server = Serve(true);
  TlsOptions options;
  options.ca.file = TestCertificates::Instance().File("ca.crt");
  const auto wire = Wire::Connect(server->port(), options);
  ASSERT_TRUE(wire) << wire.error().message();
  EXPECT_EQ(CountBody(**wire), kLarge);
}

TEST_F(WireTest, PendingCountsBytesHiddenFromPoll) {
  const auto server = Serve(true);
  TlsOptions options;
  options.insecure_skip_verify = true;
  const auto wire = Wire::Connect(server->port(), options);
  ASSERT_TRUE(wire) << wire.error().message();
  ASSERT_TRUE((*wire)->Send("GET / HTTP/1.1\r\n\r\n"));
  std::array<char, 1> first;
  EXPECT_EQ((*wire)->Receive(first).value_or(0), 1u);
  EXPECT_GT((*wire)->pending(), 0u) << "the rest of the record";
}

TEST_F(WireTest, ConnectErrorNamesReason) {
  const auto server = Serve(true);
  TlsOptions options;
  options.ca.file = TestCertificates::Instance().File("other-ca.crt");
  const auto untrusted = Wire::Connect(server->port(), options);
  ASSERT_FALSE(untrusted);
  EXPECT_NE(untrusted.error().message().find("certificate"), std::string::npos)
      << untrusted.error().message();
  const auto unreachable = Wire::Connect(1);
  ASSERT_FALSE(unreachable);
  EXPECT_NE(unreachable.error().message().find("127.0.0.1:1"), std::string::npos);
}

}  // namespace
}  // namespace berth::http
