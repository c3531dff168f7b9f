// SPDX-License-Identifier: Apache-2.0
#include "http/crypto/certificates.h"

#include <gtest/gtest.h>

#include "http/client/transport.h"
#include "http/server/stream_server.h"

namespace berth::http {
namespace {

class CertificatesTest : public ::testing::Test {
 protected:
  static std::unique_ptr<CertificateAuthority> MakeAuthority(const std::string& name) {
    auto authority = CertificateAuthority::Create(name);
    EXPECT_TRUE(authority) << authority.error().message();
    return std::move(*authority);
  }
  // Starts a server that returns the identity of its client.
  std::unique_ptr<StreamServer> Serve() {
    const auto identity = authority_->IssueServer("berth", {"localhost"}, {"127.0.0.1"});
    EXPECT_TRUE(identity) << identity.error().message();
    auto server = StreamServer::Listen(
        {.tls = ServerTlsOptions{.certificate = {.data = identity->certificate},
                                 .key = {.data = identity->key},
                                 .client_ca = {.data = authority_->certificate()}}});
    EXPECT_TRUE(server) << server.error().message();
    (*server)->Serve([](const Request&, Responder responder) {
      const Peer peer = responder.peer();
      std::string text = peer.common_name;
      for (const std::string& organization : peer.organizations) text += "," + organization;
      responder.Send({.code = 200, .body = text + "|" + peer.certificate_error});
    });
    return std::move(*server);
  }
  // Returns the server's response to a client with this identity, or the error.
  std::string Ask(const StreamServer& server, const std::optional<CertificateAndKey>& identity,
                  const std::string& name = "") {
    TlsOptions tls{.ca = {.data = authority_->certificate()}, .server_name = name};
    if (identity) {
      tls.certificate.data = identity->certificate;
      tls.key.data = identity->key;
    }
    auto transport = CreateTransport({.url = server.url(), .tls = std::move(tls)});
    EXPECT_TRUE(transport) << transport.error().message();
    const auto response = (*transport)->Call({});
    return response ? response->body : response.error().message();
  }

  const std::unique_ptr<CertificateAuthority> authority_ = MakeAuthority("test-ca");
};

TEST_F(CertificatesTest, IdentifyClient) {
  const auto server = Serve();
  const auto admin = authority_->IssueClient("admin", {"system:masters", "ops"});
  ASSERT_TRUE(admin) << admin.error().message();
  EXPECT_EQ(Ask(*server, *admin), "admin,system:masters,ops|");
  EXPECT_EQ(Ask(*server, *admin, "localhost"), "admin,system:masters,ops|");
}

TEST_F(CertificatesTest, AreOptionalForClients) {
  const auto server = Serve();
  EXPECT_EQ(Ask(*server, std::nullopt), "|");
}

TEST_F(CertificatesTest, FromAnotherCaAreNotTrusted) {
  const auto server = Serve();
  const auto stranger = MakeAuthority("other-ca")->IssueClient("admin", {"system:masters"});
  ASSERT_TRUE(stranger);
  const std::string answer = Ask(*server, *stranger);
  EXPECT_TRUE(answer.starts_with("|")) << answer;
  EXPECT_GT(answer.size(), 1u) << "the handler receives the reason";
}

TEST_F(CertificatesTest, OfServersAreRejectedForClients) {
  const auto server = Serve();
  const auto identity = authority_->IssueServer("berth", {"localhost"}, {});
  ASSERT_TRUE(identity);
  EXPECT_EQ(Ask(*server, *identity), "|unsuitable certificate purpose");
}

TEST_F(CertificatesTest, NameTheServer) {
  const auto server = Serve();
  const std::string answer = Ask(*server, std::nullopt, "kubernetes");
  EXPECT_NE(answer.find("valid for DNS:localhost, IP Address:127.0.0.1, not for kubernetes"),
            std::string::npos)
      << answer;
}

TEST_F(CertificatesTest, WithMismatchedKeyAreRejected) {
  const auto one = authority_->IssueServer("one", {"localhost"}, {});
  const auto two = authority_->IssueServer("two", {"localhost"}, {});
  const auto server =
      StreamServer::Listen({.tls = ServerTlsOptions{.certificate = {.data = one->certificate},
                                                    .key = {.data = two->key}}});
  ASSERT_FALSE(server);
  EXPECT_NE(server.error().message().find("server-certificate-data: does not belong to "
                                          "server-key-data (the keys differ)"),
            std::string::npos)
      << server.error().message();
}

TEST_F(CertificatesTest, CarryStreams) {
  const auto identity = authority_->IssueServer("berth", {}, {"127.0.0.1"});
  ASSERT_TRUE(identity);
  auto server =
      StreamServer::Listen({.tls = ServerTlsOptions{.certificate = {.data = identity->certificate},
                                                    .key = {.data = identity->key}}});
  ASSERT_TRUE(server) << server.error().message();
  (*server)->Serve([](const Request&, Responder responder) {
    const auto stream = responder.Open(200, {}, {});
    for (int i = 0; i < 1000; ++i) {
      stream->Write(std::make_shared<const std::string>(std::string(1000, 'x') + "\n"));
    }
    stream->Close();
  });
  auto transport = CreateTransport(
      {.url = (*server)->url(), .tls = {.ca = {.data = authority_->certificate()}}});
  ASSERT_TRUE(transport);
  const auto lines = (*transport)->Open({});
  ASSERT_TRUE(lines) << lines.error().message();
  int count = 0;
  while (const auto line = *(*lines)->Next()) {
    EXPECT_EQ(line->size(), 1000u);
    ++count;
  }
  EXPECT_EQ(count, 1000);
}

}  // namespace
}  // namespace berth::http
